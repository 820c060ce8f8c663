/** HTTP+JSON of version 0.3, below `/v1`. */
import type { StreamResponse } from '@a2a-js/sdk';
import { toLegacyHTTPError } from '@a2a-js/sdk/compat/v0_3/server';
import { restStatusFor } from '@a2a-js/sdk/errors';
import { readJson } from '../http/body.js';
import { type Exchange, type Route, sendJson } from '../http/exchange.js';
import { HttpError } from '../http/http-error.js';
import { type Call, contextOf } from './call.js';
import { toProtocolError } from './errors.js';
import { confirmExtensions } from './extension-header.js';
import {
  fromLegacyPush,
  fromLegacySend,
  toLegacyEvent,
  toLegacyMessage,
  toLegacyPush,
  toLegacyTask,
} from './legacy-json.js';
import { numberOf, type RestParts, restCall } from './rest.js';
import { versionOf } from './version.js';

type Work = (exchange: Exchange, call: Call) => Promise<void>;

export function legacyRestRoutes(parts: RestParts): Route[] {
  const { handler, bodyBytes } = parts;
  const all = /^\/v1\/tasks\/(?<id>[^/:]+)\/pushNotificationConfigs$/;
  const one = /^\/v1\/tasks\/(?<id>[^/:]+)\/pushNotificationConfigs\/(?<config>[^/]+)$/;
  const body = ({ request }: Exchange) => readJson(request, bodyBytes);
  const stream = (exchange: Exchange, call: Call, events: AsyncGenerator<StreamResponse>) =>
    parts.streams.write(exchange.response, call, asLegacy(events, call), { failed: toLegacyHTTPError });
  const subscribe: Work = (exchange, call) =>
    stream(exchange, call, handler.resubscribe({ tenant: '', id: idOf(exchange) }, contextOf(call)));
  return [
    route('GET', /^\/v1\/card$/, async () => {
      await handler.getAuthenticatedExtendedAgentCard();
    }),
    route('POST', /^\/v1\/message:send$/, async (exchange, call) => {
      const answer = await handler.sendMessage(fromLegacySend(await body(exchange)), contextOf(call));
      const isMessage = 'messageId' in answer;
      sendJson(
        exchange.response,
        201,
        isMessage ? { message: toLegacyMessage(answer) } : { task: toLegacyTask(answer) },
      );
    }),
    route('POST', /^\/v1\/message:stream$/, async (exchange, call) => {
      const request = fromLegacySend(await body(exchange));
      await stream(exchange, call, handler.sendMessageStream(request, contextOf(call)));
    }),
    route('GET', /^\/v1\/tasks\/(?<id>[^/:]+)$/, async (exchange, call) => {
      const query = exchange.url.searchParams;
      const length = query.get('historyLength') ?? query.get('history_length');
      const historyLength = length === null ? {} : { historyLength: numberOf(length, 'historyLength') };
      const task = await handler.getTask(
        { tenant: '', id: idOf(exchange), ...historyLength },
        contextOf(call),
      );
      sendJson(exchange.response, 200, toLegacyTask(task));
    }),
    route('POST', /^\/v1\/tasks\/(?<id>[^/:]+):cancel$/, async (exchange, call) => {
      const task = await handler.cancelTask(
        { tenant: '', id: idOf(exchange), metadata: undefined },
        contextOf(call),
      );
      sendJson(exchange.response, 200, toLegacyTask(task));
    }),
    route('GET', /^\/v1\/tasks\/(?<id>[^/:]+):subscribe$/, subscribe),
    route('POST', /^\/v1\/tasks\/(?<id>[^/:]+):subscribe$/, subscribe),
    route('POST', all, async (exchange, call) => {
      const config = fromLegacyPush(await body(exchange), idOf(exchange));
      sendJson(
        exchange.response,
        201,
        toLegacyPush(await handler.createTaskPushNotificationConfig(config, contextOf(call))),
      );
    }),
    route('GET', all, async (exchange, call) => {
      const request = { tenant: '', taskId: idOf(exchange), pageSize: 0, pageToken: '' };
      const { configs } = await handler.listTaskPushNotificationConfigs(request, contextOf(call));
      sendJson(exchange.response, 200, { configs: configs.map(toLegacyPush), nextPageToken: '' });
    }),
    route('GET', one, async (exchange, call) => {
      sendJson(
        exchange.response,
        200,
        toLegacyPush(await handler.getTaskPushNotificationConfig(placeOf(exchange), contextOf(call))),
      );
    }),
    route('DELETE', one, async (exchange, call) => {
      await handler.deleteTaskPushNotificationConfig(placeOf(exchange), contextOf(call));
      exchange.response.writeHead(204).end();
    }),
  ];
}

function route(method: string, pattern: RegExp, work: Work): Route {
  return {
    method,
    pattern,
    handle: async (exchange) => {
      const call = restCall(exchange, '0.3');
      confirmExtensions(exchange.request, exchange.response);
      try {
        if (versionOf(exchange.request) !== '0.3')
          throw new HttpError(404, 'The addresses below /v1 are those of version 0.3.');
        await work(exchange, call);
      } catch (error) {
        throw call.refusal ?? toProtocolError(error, call);
      }
    },
    writeError: (response, error) => {
      const status = error instanceof HttpError ? error.status : restStatusFor(error);
      sendJson(response, status, toLegacyHTTPError(error));
    },
  };
}

async function* asLegacy(events: AsyncGenerator<StreamResponse>, call: Call): AsyncGenerator<unknown> {
  for await (const event of events) yield toLegacyEvent(event, call.place?.isLast ?? false);
}

function idOf({ params }: Exchange): string {
  return params['id'] ?? '';
}

function placeOf(exchange: Exchange) {
  return { tenant: '', taskId: idOf(exchange), id: exchange.params['config'] ?? '' };
}
