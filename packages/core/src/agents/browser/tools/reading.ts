/** Tools that look at a page: snapshot, screenshot, console, requests, scripts. */
import type { Request } from 'playwright-core';
import { headOf } from '../../../base/cut-text.js';
import { ACTION_TIMEOUT_MS, failure, type PageState } from '../browser-session.js';
import { type BrowserToolEntry, browserTool } from '../browser-tool.js';
import { object } from './input.js';

const pageSize = { type: 'integer', minimum: 1 };
const pageIdx = { type: 'integer', minimum: 0 };
const names = { type: 'array', items: { type: 'string' } };
const MAX_BODY = 10_000;
const MAX_LINE = 300;
const DEFAULT_PAGE_SIZE = 100;
const MAX_RESULT = 20_000;
const SECRET_HEADERS = /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|x-goog-api-key)$/i;

interface Window {
  pageSize?: number;
  pageIdx?: number;
}

export const READING_TOOLS: readonly BrowserToolEntry[] = [
  browserTool<object>({
    name: 'take_snapshot',
    displayName: 'Take Snapshot',
    isReadOnly: true,
    schema: object({}),
    describe: () => 'Read the page',
    run: async () => ({ text: '', snapshot: true }),
  }),
  browserTool<{ uid?: string; fullPage?: boolean; format?: 'png' | 'jpeg'; quality?: number }>({
    name: 'take_screenshot',
    displayName: 'Take Screenshot',
    isReadOnly: true,
    schema: object({
      uid: { type: 'string' },
      fullPage: { type: 'boolean' },
      format: { type: 'string', enum: ['png', 'jpeg'] },
      quality: { type: 'integer', minimum: 0, maximum: 100 },
    }),
    describe: ({ uid }, session) => `Take a screenshot of ${uid ? session.labelOf(uid) : 'the page'}`,
    run: async ({ uid, fullPage = false, format = 'png', quality }, { session }) => {
      const options = {
        type: format,
        timeout: ACTION_TIMEOUT_MS,
        ...(format === 'jpeg' && quality !== undefined && { quality }),
      };
      const picture = uid
        ? await session.element(uid).screenshot(options)
        : await session.selected().page.screenshot({ ...options, fullPage });
      const what = uid
        ? `node with uid ${uid}`
        : fullPage
          ? 'the full current page'
          : "the current page's viewport";
      return {
        text: `Took a screenshot of ${what}.`,
        image: { mimeType: `image/${format}`, data: picture.toString('base64') },
      };
    },
  }),
  browserTool<Window & { types?: string[] }>({
    name: 'list_console_messages',
    displayName: 'List Console Messages',
    isReadOnly: true,
    schema: object({ pageSize, pageIdx, types: names }),
    describe: () => 'List console messages',
    run: async (params, { session }) => {
      const { log } = session.selected();
      const messages = log.messages.filter(({ type }) => isWanted(type, params.types));
      const lines = messages.map(({ id, type, text }) => `msgid=${id} [${type}] ${text}`);
      return {
        text: '',
        section: { heading: 'Console messages', content: windowOf(lines, params, 'No console messages.') },
      };
    },
  }),
  browserTool<{ msgid: number }>({
    name: 'get_console_message',
    displayName: 'Get Console Message',
    isReadOnly: true,
    schema: object({ msgid: { type: 'integer' } }, ['msgid']),
    describe: ({ msgid }) => `Read console message ${msgid}`,
    run: async ({ msgid }, { session }) => {
      const found = session.selected().log.messages.find(({ id }) => id === msgid);
      if (!found) throw failure(`There is no console message ${msgid}. Call list_console_messages.`);
      const content = `ID: ${found.id}\nMessage: ${found.type}> ${found.text}${found.location ? `\nAt: ${found.location}` : ''}`;
      return { text: '', section: { heading: 'Console message', content } };
    },
  }),
  browserTool<Window & { resourceTypes?: string[] }>({
    name: 'list_network_requests',
    displayName: 'List Network Requests',
    isReadOnly: true,
    schema: object({ pageSize, pageIdx, resourceTypes: names }),
    describe: () => 'List network requests',
    run: async (params, { session }) => {
      const wanted = session
        .selected()
        .log.requests.filter(({ request }) => isWanted(request.resourceType(), params.resourceTypes));
      const lines = await Promise.all(
        wanted.map(
          async ({ id, request }) =>
            `reqid=${id} ${request.method()} ${request.url()} ${await statusOf(request)}`,
        ),
      );
      return {
        text: '',
        section: { heading: 'Network requests', content: windowOf(lines, params, 'No requests.') },
      };
    },
  }),
  browserTool<{ reqid: number }>({
    name: 'get_network_request',
    displayName: 'Get Network Request',
    isReadOnly: true,
    schema: object({ reqid: { type: 'integer' } }, ['reqid']),
    describe: ({ reqid }) => `Read network request ${reqid}`,
    run: async ({ reqid }, { session }) => ({
      text: '',
      section: { heading: `Request ${reqid}`, content: await requestText(reqid, session.selected()) },
    }),
  }),
  browserTool<{ function: string; args?: unknown[] }>({
    name: 'evaluate_script',
    displayName: 'Evaluate Script',
    schema: object({ function: { type: 'string' }, args: names }, ['function']),
    describe: ({ function: source }) => `Run in the page: ${source}`,
    alwaysAsks: (_, host) => host.settings().confirmSensitiveActions,
    run: async ({ function: source, args = [] }, { session }) => {
      const { page } = session.selected();
      const elements = await Promise.all(
        args.map((uid) => session.element(String(uid)).elementHandle({ timeout: ACTION_TIMEOUT_MS })),
      );
      let value: unknown;
      await session.act(async () => {
        value = await page.evaluate(asFunction(source), elements);
      });
      const json = JSON.stringify(value, null, 2) ?? 'undefined';
      const content = json.length > MAX_RESULT ? `${headOf(json, MAX_RESULT)}\n[cut off]` : json;
      return { text: 'Script ran on page and returned:', section: { heading: 'Result', content } };
    },
  }),
];

/** The library sends the text of a function to the page: this one's text is the model's function, called with elements. */
function asFunction(source: string): (elements: unknown[]) => unknown {
  return Object.assign(() => undefined, { toString: () => `(elements) => (${source})(...elements)` });
}

function isWanted(type: string, types: readonly string[] | undefined): boolean {
  return !types?.length || types.includes(type);
}

function windowOf(
  lines: readonly string[],
  { pageSize: size = DEFAULT_PAGE_SIZE, pageIdx: at = 0 }: Window,
  none: string,
): string {
  if (lines.length === 0) return none;
  const shown = lines.slice(at * size, (at + 1) * size);
  const pages = Math.ceil(lines.length / size);
  const range = `Showing ${at * size + 1}-${at * size + shown.length} of ${lines.length} (Page ${at + 1} of ${pages}).`;
  return [range, ...shown.map((line) => cut(line, MAX_LINE))].join('\n');
}

async function statusOf(request: Request): Promise<string> {
  const failed = request.failure();
  if (failed) return `[failed - ${failed.errorText}]`;
  const response = request.existingResponse();
  return response ? `[${response.ok() ? 'success' : 'failed'} - ${response.status()}]` : '[pending]';
}

async function requestText(reqid: number, { log }: PageState): Promise<string> {
  const found = log.requests.find(({ id }) => id === reqid);
  if (!found) throw failure(`There is no request ${reqid}. Call list_network_requests.`);
  const { request } = found;
  const response = request.existingResponse();
  const body =
    response && /text|json|javascript|xml/.test(response.headers()['content-type'] ?? '')
      ? await response.text().catch(() => undefined)
      : undefined;
  return [
    `${request.method()} ${request.url()}`,
    `Status: ${await statusOf(request)}`,
    '### Request Headers',
    ...headerLines(request.headers()),
    ...(request.postData() ? ['### Request Body', cut(request.postData() ?? '')] : []),
    ...(response ? ['### Response Headers', ...headerLines(response.headers())] : []),
    ...(body === undefined ? [] : ['### Response Body', cut(body)]),
  ].join('\n');
}

function headerLines(headers: Record<string, string>): string[] {
  return Object.entries(headers).map(
    ([name, value]) => `- ${name}:${SECRET_HEADERS.test(name) ? '<hidden>' : value}`,
  );
}

function cut(text: string, length = MAX_BODY): string {
  return text.length > length ? `${headOf(text, length)}... <truncated>` : text;
}
