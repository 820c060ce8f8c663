/** The page: `/ui`, `/ui/tasks/<id>`, its events, and the forms. Forms are taken from this server's own pages only. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, type Part, Role, type StreamResponse } from '@a2a-js/sdk';
import { createLog, objectOf } from '@gemini-cli/core';
import { loadSessionHtml } from '@gemini-cli/core/server';
import type { TaskRecord } from '../contract.js';
import { readBody } from '../http/body.js';
import { type Exchange, type Route, sendJson } from '../http/exchange.js';
import { HttpError } from '../http/http-error.js';
import { SseWriter } from '../http/sse.js';
import { INTERNAL } from '../protocol/errors.js';
import { asHttp } from '../protocol/task-routes.js';
import { isRunning } from '../protocol/task-state.js';
import type { ToldService } from '../push/told-service.js';
import { dataPart, textPart } from '../turns/events/event-factory.js';
import { type RenderedPage, renderPage } from './layout.js';
import { listPage } from './list-page.js';
import { answersIn } from './question.js';
import { markOf, taskPage } from './task-page.js';

export interface PageParts {
  service: ToldService;
  bodyBytes: number;
  times: { pingMs: number; stalledMs: number };
  /** Between looks at a task that rests. */
  lookMs: number;
}

const log = createLog('a2a-page');

const PAGE_SIZE = 50;
const ID = '(?<id>[^/]+)';

export function pageRoutes(parts: PageParts): Route[] {
  const { service } = parts;
  const page = (method: string, pattern: RegExp, handle: Route['handle']): Route => ({
    method,
    pattern,
    handle,
    isPage: true,
    writeError: (response, error) => {
      sendProblem(response, error).catch((failure: unknown) => {
        log.error('a page failed', failure);
        sendJson(response, 500, { error: INTERNAL });
      });
    },
  });
  const form = (path: string, work: (exchange: Exchange, fields: URLSearchParams) => Promise<string>) =>
    page('POST', new RegExp(`^${path}$`), async (exchange) => {
      requireOwnPage(exchange);
      const fields = new URLSearchParams(
        (await readBody(exchange.request, parts.bodyBytes)).toString('utf8'),
      );
      const taskId = await asHttp(() => work(exchange, fields));
      exchange.response.writeHead(303, { location: `/ui/tasks/${encodeURIComponent(taskId)}` }).end();
    });
  return [
    page('GET', /^\/ui\/?$/, async ({ response, url }) => {
      const token = url.searchParams.get('page');
      const found = await asHttp(() =>
        service.list({ pageSize: PAGE_SIZE, ...(token && { pageToken: token }) }),
      );
      send(response, listPage(await loadSessionHtml(), found, Date.now()));
    }),
    page('GET', new RegExp(`^/ui/tasks/${ID}$`), async ({ response, params }) => {
      const record = await taskOf(params, service);
      send(response, await taskPage(await loadSessionHtml(), record, Date.now()));
    }),
    page('GET', new RegExp(`^/ui/tasks/${ID}/events$`), (exchange) => follow(exchange, parts)),
    form('/ui/tasks', async (_exchange, fields) => {
      const workspacePath = fields.get('workspace')?.trim();
      const metadata = workspacePath ? { coderAgent: { kind: 'agent-settings', workspacePath } } : undefined;
      return (await service.send({ ...userMessage([textPart(required(fields, 'text'))]), metadata })).taskId;
    }),
    form(`/ui/tasks/${ID}/messages`, async ({ params }, fields) => {
      const record = await taskOf(params, service);
      return (await service.send(userMessage([textPart(required(fields, 'text'))], record))).taskId;
    }),
    form(`/ui/tasks/${ID}/answers`, async ({ params }, fields) => {
      const record = await taskOf(params, service);
      const callId = required(fields, 'callId');
      const edited = editedContent(record, callId, fields.get('newContent'));
      const answers = answersIn(fields);
      const answer = {
        callId,
        outcome: required(fields, 'outcome'),
        ...(edited !== undefined && { newContent: edited }),
        ...(answers && { answers }),
      };
      return (await service.send(userMessage([dataPart(answer)], record))).taskId;
    }),
    form(
      `/ui/tasks/${ID}/cancel`,
      async ({ params }) => (await service.cancel((await taskOf(params, service)).id)).id,
    ),
  ];
}

/** What the model says now, and when the page must be fetched again. */
async function follow(
  { response, params, signal, url }: Exchange,
  { service, times, lookMs }: PageParts,
): Promise<void> {
  let record = await taskOf(params, service);
  const writer = new SseWriter(response, times);
  const shown = url.searchParams.get('seen');
  // The turn may have ended while the page was on its way.
  if (shown && shown !== markOf(record) && !isRunning(record.task.status?.state))
    await writer.send({ event: 'changed', data: record.updatedAt });
  let told = '';
  for (let seen = record.updatedAt; !signal.aborted; ) {
    let hasTurn = false;
    if (isRunning(record.task.status?.state)) {
      if (told !== record.updatedAt) await writer.send({ event: 'changed', data: record.updatedAt });
      told = record.updatedAt;
      for await (const { event } of service.events(record.id, { signal })) {
        hasTurn = true;
        const text = textOf(event.payload);
        if (text !== '') await writer.send({ event: 'text', data: text });
      }
    }
    // A task that was made without a message has no turn to wait for.
    if (!hasTurn) await sleep(lookMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    record = await service.get(record.id);
    if (record.updatedAt !== seen && !isRunning(record.task.status?.state))
      await writer.send({ event: 'changed', data: record.updatedAt });
    seen = record.updatedAt;
  }
}

function textOf(payload: Payload): string {
  return isTextChunk(payload)
    ? (payload?.value.status?.message?.parts ?? [])
        .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
        .join('')
    : '';
}

type Payload = StreamResponse['payload'];

function isTextChunk(payload: Payload): payload is Extract<Payload, { $case: 'statusUpdate' }> {
  return (
    payload?.$case === 'statusUpdate' &&
    objectOf(payload.value.metadata?.['coderAgent'])['kind'] === 'text-content'
  );
}

/** Undefined: as it was proposed. Forms send line ends as CRLF. */
function editedContent({ pending }: TaskRecord, callId: string, given: string | null): string | undefined {
  if (given === null) return undefined;
  const call = objectOf(pending.find((waiting) => waiting.callId === callId)?.call);
  const proposed = objectOf(call['confirmationDetails'])['newContent'];
  const text = given.replaceAll('\r\n', '\n');
  if (typeof proposed !== 'string' || text === proposed.replaceAll('\r\n', '\n')) return undefined;
  return proposed.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

/** Browsers say with every form where it comes from. */
function requireOwnPage({ request }: Exchange): void {
  if (request.headers.origin === undefined)
    throw new HttpError(403, 'Forms are taken from the pages of this server only.');
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim();
  if (type !== 'application/x-www-form-urlencoded') throw new HttpError(415, 'The body is a form.');
}

function taskOf(params: Exchange['params'], service: ToldService): Promise<TaskRecord> {
  return asHttp(() => service.get(params['id'] ?? ''));
}

function required(fields: URLSearchParams, name: string): string {
  const value = fields.get(name)?.replaceAll('\r\n', '\n').trim();
  if (!value) throw new HttpError(400, `The field ${name} is empty.`);
  return value;
}

/** For people: forms that come too late, tasks that are gone. */
async function sendProblem(response: Exchange['response'], error: unknown): Promise<void> {
  const isKnown = error instanceof HttpError;
  if (!isKnown) log.error('a page failed', error);
  const text = isKnown ? error.message : INTERNAL;
  const html = await loadSessionHtml();
  const page = renderPage(html, {
    title: 'This did not work',
    kind: '<a href="/ui">Tasks</a>',
    facts: [],
    live: 'none',
    main: `<p class="note error">${html.escapeHtml(html.readableText(text))}</p>`,
  });
  send(response, page, isKnown ? error.status : 500);
}

function send(response: Exchange['response'], { html, headers }: RenderedPage, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(html);
}

function userMessage(parts: Part[], record?: Pick<TaskRecord, 'id' | 'contextId'>): Message {
  return {
    messageId: randomUUID(),
    taskId: record?.id ?? '',
    contextId: record?.contextId ?? '',
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
