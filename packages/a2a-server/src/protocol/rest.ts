/** HTTP+JSON of version 1.0: `/message:send`, `/tasks/{id}` and the others, also below `/v1` with the header of 1.0. */
import {
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
  taskStateFromJSON,
} from '@a2a-js/sdk';
import { A2AError, restStatusFor, toRestErrorBody } from '@a2a-js/sdk/errors';
import { readJson } from '../http/body.js';
import { type Exchange, type Route, sendJson } from '../http/exchange.js';
import { HttpError } from '../http/http-error.js';
import { TaskError } from '../task-error.js';
import { type Call, contextOf } from './call.js';
import { readAs } from './check-message.js';
import { toProtocolError } from './errors.js';
import { confirmExtensions } from './extension-header.js';
import type { TaskRequestHandler } from './request-handler.js';
import type { Streams } from './streams.js';
import { versionOf } from './version.js';

export interface RestParts {
  handler: TaskRequestHandler;
  streams: Streams;
  bodyBytes: number;
}

const TYPE = { 'content-type': 'application/a2a+json' };

export class RestRoutes {
  constructor(private readonly parts: RestParts) {}

  get routes(): Route[] {
    const { handler } = this.parts;
    return [
      this.route('POST', /^\/message:send$/, async (exchange, call) => {
        const answer = await handler.sendMessage(await this.message(exchange), contextOf(call));
        const isMessage = 'messageId' in answer;
        reply(exchange, isMessage ? { message: Message.toJSON(answer) } : { task: Task.toJSON(answer) });
      }),
      this.route('POST', /^\/message:stream$/, async (exchange, call) => {
        const request = await this.message(exchange);
        await this.stream(exchange, call, handler.sendMessageStream(request, contextOf(call)));
      }),
      this.route('GET', /^\/tasks$/, async (exchange, call) => {
        const request = listRequest(exchange.url.searchParams);
        const answer = await handler.listTasks(request, contextOf(call));
        // The library leaves out what is empty; clients count on these.
        const empty = { tasks: [], nextPageToken: '', totalSize: 0 };
        reply(exchange, { ...empty, ...(ListTasksResponse.toJSON(answer) as object) });
      }),
      this.route('GET', /^\/tasks\/(?<id>[^/:]+)$/, async (exchange, call) => {
        const length = exchange.url.searchParams.get('historyLength');
        const request = {
          tenant: '',
          id: idOf(exchange),
          ...(length !== null && { historyLength: numberOf(length, 'historyLength') }),
        };
        reply(exchange, Task.toJSON(await handler.getTask(request, contextOf(call))));
      }),
      this.route('POST', /^\/tasks\/(?<id>[^/:]+):cancel$/, async (exchange, call) => {
        const request = { tenant: '', id: idOf(exchange), metadata: undefined };
        reply(exchange, Task.toJSON(await handler.cancelTask(request, contextOf(call))));
      }),
      ...['GET', 'POST'].map((method) =>
        this.route(method, /^\/tasks\/(?<id>[^/:]+):subscribe$/, (exchange, call) =>
          this.stream(
            exchange,
            call,
            handler.resubscribe({ tenant: '', id: idOf(exchange) }, contextOf(call)),
          ),
        ),
      ),
      ...this.pushRoutes(),
      this.route('GET', /^\/extendedAgentCard$/, async () => {
        await handler.getAuthenticatedExtendedAgentCard();
      }),
    ];
  }

  private pushRoutes(): Route[] {
    const { handler, bodyBytes } = this.parts;
    const all = /^\/tasks\/(?<id>[^/:]+)\/pushNotificationConfigs$/;
    const one = /^\/tasks\/(?<id>[^/:]+)\/pushNotificationConfigs\/(?<config>[^/]+)$/;
    const place = (exchange: Exchange) => ({
      tenant: '',
      taskId: idOf(exchange),
      id: exchange.params['config'] ?? '',
    });
    return [
      this.route('POST', all, async (exchange, call) => {
        const body = (await readJson(exchange.request, bodyBytes)) as object | undefined;
        const config = readAs(() => TaskPushNotificationConfig.fromJSON({ ...body, taskId: idOf(exchange) }));
        const made = await handler.createTaskPushNotificationConfig(config, contextOf(call));
        reply(exchange, TaskPushNotificationConfig.toJSON(made), 201);
      }),
      this.route('GET', all, async (exchange, call) => {
        const request = { tenant: '', taskId: idOf(exchange), pageSize: 0, pageToken: '' };
        const answer = await handler.listTaskPushNotificationConfigs(request, contextOf(call));
        reply(exchange, ListTaskPushNotificationConfigsResponse.toJSON(answer));
      }),
      this.route('GET', one, async (exchange, call) => {
        const config = await handler.getTaskPushNotificationConfig(place(exchange), contextOf(call));
        reply(exchange, TaskPushNotificationConfig.toJSON(config));
      }),
      this.route('DELETE', one, async (exchange, call) => {
        await handler.deleteTaskPushNotificationConfig(place(exchange), contextOf(call));
        exchange.response.writeHead(204).end();
      }),
    ];
  }

  private route(
    method: string,
    pattern: RegExp,
    work: (exchange: Exchange, call: Call) => Promise<void>,
  ): Route {
    return {
      method,
      pattern,
      handle: async (exchange) => {
        const call = restCall(exchange);
        confirmExtensions(exchange.request, exchange.response);
        try {
          // Only the paths of 0.3 begin with /v1; here a client has no other choice than 1.0.
          if (exchange.request.headers['a2a-version'] !== undefined && versionOf(exchange.request) === '0.3')
            throw new HttpError(404, 'Version 0.3 has its addresses below /v1.');
          await work(exchange, call);
        } catch (error) {
          throw call.refusal ?? toProtocolError(error, call);
        }
      },
      writeError: (response, error) => {
        const status = error instanceof HttpError ? error.status : restStatusFor(error);
        if (error instanceof A2AError)
          return sendJson(response, status, toRestErrorBody(error, status), TYPE);
        const message = error instanceof Error ? error.message : '';
        return sendJson(
          response,
          status,
          { error: { code: status, status: nameOf(status), message, details: [] } },
          TYPE,
        );
      },
    };
  }

  private async message({ request }: Exchange) {
    const body = (await readJson(request, this.parts.bodyBytes)) ?? {};
    return readAs(() => SendMessageRequest.fromJSON(body));
  }

  private stream(exchange: Exchange, call: Call, events: AsyncGenerator<StreamResponse>): Promise<void> {
    return this.parts.streams.write(exchange.response, call, asJson(events), {
      failed: (error) => toRestErrorBody(error, restStatusFor(error)),
    });
  }
}

export function restCall({ request, signal }: Exchange, version: Call['version'] = '1.0'): Call {
  const lastEventId = request.headers['last-event-id'];
  return { version, signal, ...(typeof lastEventId === 'string' && lastEventId !== '' && { lastEventId }) };
}

async function* asJson(events: AsyncGenerator<StreamResponse>): AsyncGenerator<unknown> {
  for await (const event of events) yield StreamResponse.toJSON(event);
}

function reply({ response }: Exchange, body: unknown, status = 200): void {
  sendJson(response, status, body, TYPE);
}

function idOf({ params }: Exchange): string {
  return params['id'] ?? '';
}

function listRequest(query: URLSearchParams) {
  const text = (name: string) => query.get(name) ?? '';
  const number = (name: string) => (text(name) === '' ? undefined : numberOf(text(name), name));
  const status = text('status');
  return {
    tenant: '',
    contextId: text('contextId'),
    status: status === '' ? 0 : taskStateFromJSON(/^\d+$/.test(status) ? Number(status) : status),
    pageSize: number('pageSize'),
    pageToken: text('pageToken'),
    historyLength: number('historyLength'),
    statusTimestampAfter: text('statusTimestampAfter') || undefined,
    includeArtifacts: text('includeArtifacts') === 'true',
  };
}

export function numberOf(text: string, name: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new TaskError('invalid', `${name} is a number from 0.`);
  return Number(text);
}

const NAMES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

function nameOf(status: number): string {
  return NAMES[status] ?? 'INVALID_ARGUMENT';
}
