/** Routes beside the protocol: `POST /tasks`, `GET /tasks/metadata`, `GET /tasks/:id/metadata`; the card and the keys. */
import { isObject } from '@gemini-cli/core';
import type { TaskRecord, TaskService } from '../contract.js';
import { readJson } from '../http/body.js';
import { type Route, sendJson } from '../http/exchange.js';
import { HttpError } from '../http/http-error.js';
import { TaskError } from '../task-error.js';
import { settingsOf } from '../tasks/new-task.js';
import { type CardOptions, cardJson, legacyCardJson } from './card.js';
import { stateWord } from './task-state.js';
import { versionOf } from './version.js';

export interface TaskRouteParts {
  service: TaskService;
  bodyBytes: number;
  card: () => CardOptions;
  keySet: () => object;
}

const MAX_LISTED = 1_000;

export function taskRoutes({ service, bodyBytes, card, keySet }: TaskRouteParts): Route[] {
  return [
    {
      method: 'GET',
      pattern: /^\/\.well-known\/agent(?:-card)?\.json$/,
      isOpen: true,
      handle: async ({ request, response }) => {
        // Without the header: the form of 0.3, and where 1.0 is served.
        const asked = request.headers['a2a-version'];
        const options = card();
        const { supportedInterfaces } = cardJson(options) as { supportedInterfaces?: unknown };
        const legacy = legacyCardJson(options);
        if (asked === undefined) return sendJson(response, 200, { ...legacy, supportedInterfaces });
        return sendJson(response, 200, versionOf(request) === '1.0' ? cardJson(options) : legacy);
      },
    },
    {
      method: 'GET',
      pattern: /^\/\.well-known\/jwks\.json$/,
      isOpen: true,
      handle: async ({ response }) => sendJson(response, 200, keySet()),
    },
    {
      method: 'POST',
      pattern: /^\/tasks$/,
      handle: async ({ request, response }) => {
        const body = (await readJson(request, bodyBytes)) ?? {};
        if (typeof body !== 'object' || Array.isArray(body))
          throw new HttpError(400, 'The body is a JSON object.');
        const { contextId, agentSettings: settings } = body as {
          contextId?: unknown;
          agentSettings?: unknown;
        };
        if (contextId !== undefined && (typeof contextId !== 'string' || contextId.length > 256))
          throw new HttpError(400, 'contextId is a text of up to 256 characters.');
        if (settings !== undefined && !isObject(settings))
          throw new HttpError(400, 'agentSettings is an object.');
        const metadata = settings && { coderAgent: { ...settings, kind: 'agent-settings' } };
        const { id } = await asHttp(() => service.create(settingsOf({ metadata }), contextId || undefined));
        sendJson(response, 201, id);
      },
    },
    {
      method: 'GET',
      pattern: /^\/tasks\/metadata$/,
      handle: async ({ response }) => {
        if (service.isDurable)
          throw new HttpError(501, 'A list of all tasks needs the store in memory. Use ListTasks.');
        const { records } = await service.list({ pageSize: MAX_LISTED });
        if (records.length === 0) return void response.writeHead(204).end();
        return sendJson(
          response,
          200,
          await Promise.all(records.map((record) => metadataOf(record, service))),
        );
      },
    },
    {
      method: 'GET',
      pattern: /^\/tasks\/(?<id>[^/]+)\/metadata$/,
      handle: async ({ response, params }) => {
        const record = await asHttp(() => service.get(params['id'] ?? ''));
        sendJson(response, 200, { metadata: await metadataOf(record, service, { opens: true }) });
      },
    },
  ];
}

async function metadataOf(
  { id, contextId, task, model }: TaskRecord,
  service: TaskService,
  { opens = false } = {},
): Promise<object> {
  const description = await service.describe?.(id, { opens });
  return {
    id,
    contextId,
    taskState: stateWord(task.status?.state),
    model: description?.model ?? model ?? '',
    mcpServers: description?.mcpServers ?? [],
    availableTools: description?.availableTools ?? [],
  };
}

const STATUS: Readonly<Record<TaskError['code'], number>> = {
  task_not_found: 404,
  not_cancelable: 409,
  invalid: 400,
  unsupported: 501,
  too_many: 429,
  unavailable: 503,
};

/** For routes that are not of the protocol. */
export async function asHttp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    const status = STATUS[error.code];
    throw new HttpError(
      status,
      error.message,
      status === 429 || status === 503 ? { 'retry-after': '5' } : {},
    );
  }
}
