/** Tools for pages: list, open, select, close, navigate, wait. */
import type { Page } from 'playwright-core';
import { type BrowserSession, failure, NAVIGATION_TIMEOUT_MS, type PageState } from '../browser-session.js';
import { type BrowserToolEntry, browserTool } from '../browser-tool.js';
import { object } from './input.js';

const timeout = { type: 'integer', minimum: 0 };
const pageId = { type: 'integer' };
const WAIT_MS = 10_000;

interface Navigation {
  type?: 'url' | 'back' | 'forward' | 'reload';
  url?: string;
  timeout?: number;
}

export const PAGE_TOOLS: readonly BrowserToolEntry[] = [
  browserTool<object>({
    name: 'list_pages',
    displayName: 'List Pages',
    isReadOnly: true,
    worksWithDialog: true,
    schema: object({}),
    describe: () => 'List the open pages',
    run: async () => ({ text: '', pages: true }),
  }),
  browserTool<{ pageId: number }>({
    name: 'select_page',
    displayName: 'Select Page',
    isReadOnly: true,
    schema: object({ pageId }, ['pageId']),
    describe: (params) => `Select page ${params.pageId}`,
    run: async (params, { session }) => {
      const state = await session.pageById(params.pageId);
      await session.select(state);
      await state.page.bringToFront();
      return { text: '', pages: true };
    },
  }),
  browserTool<{ url: string; timeout?: number }>({
    name: 'new_page',
    displayName: 'New Page',
    schema: object({ url: { type: 'string' }, timeout }, ['url']),
    describe: ({ url }) => `Open ${url} in a new page`,
    run: async (params, { session }) => {
      requireAllowed(params.url, session);
      const state = await session.newPage();
      await session.act(() => go(state.page, { type: 'url', ...params }));
      return { text: '', pages: true };
    },
  }),
  browserTool<{ pageId: number }>({
    name: 'close_page',
    displayName: 'Close Page',
    schema: object({ pageId }, ['pageId']),
    describe: (params) => `Close page ${params.pageId}`,
    run: async (params, { session }) => {
      const pages = await session.pages();
      if (pages.length < 2) throw failure('The last open page cannot be closed.');
      const state = await session.pageById(params.pageId);
      const isSelected = session.isSelected(state);
      await state.page.close();
      const [next] = pages.filter((other) => other !== state);
      if (isSelected && next) await session.select(next);
      return { text: '', pages: true };
    },
  }),
  browserTool<Navigation>({
    name: 'navigate_page',
    displayName: 'Navigate Page',
    schema: object({
      type: { type: 'string', enum: ['url', 'back', 'forward', 'reload'] },
      url: { type: 'string' },
      timeout,
    }),
    describe: ({ type = 'url', url }) => (type === 'url' ? `Go to ${url}` : `Go: ${type}`),
    run: async (params, { session }) => {
      const { type = 'url', url } = params;
      if (type === 'url') requireAllowed(url ?? '', session);
      await session.act(({ page }) => go(page, params));
      return { text: arrival(type, session), pages: true };
    },
  }),
  browserTool<{ text: string | string[]; timeout?: number }>({
    name: 'wait_for',
    displayName: 'Wait For',
    isReadOnly: true,
    schema: object({ text: { type: 'array', items: { type: 'string' } }, timeout }, ['text']),
    describe: ({ text }) => `Wait for ${JSON.stringify(text)}`,
    run: async ({ text, timeout: limit }, { session }) => {
      const texts = Array.isArray(text) ? text : [text];
      await firstOf(texts, session.selected(), limit || WAIT_MS);
      return { text: `Element with text ${JSON.stringify(texts)} found.`, snapshot: true };
    },
  }),
];

/** A refused address ends the task before the browser hears of it. */
function requireAllowed(address: string, session: BrowserSession): void {
  const refusal = session.domains.refusal(address);
  if (refusal === undefined) return;
  session.stop(refusal);
  session.requireGoing();
}

function go(page: Page, { type = 'url', url = '', timeout: limit }: Navigation): Promise<unknown> {
  const options = { timeout: limit || NAVIGATION_TIMEOUT_MS };
  if (type === 'back') return page.goBack(options);
  if (type === 'forward') return page.goForward(options);
  return type === 'reload' ? page.reload(options) : page.goto(url, options);
}

function arrival(type: string, session: BrowserSession): string {
  const verbs: Record<string, string> = {
    url: 'navigated to',
    back: 'navigated back to',
    forward: 'navigated forward to',
    reload: 'reloaded',
  };
  return `Successfully ${verbs[type]} ${session.url()}.`;
}

async function firstOf(texts: readonly string[], { page }: PageState, limit: number): Promise<void> {
  const places = page
    .frames()
    .flatMap((frame) => texts.map((text) => frame.getByText(text).first().waitFor({ timeout: limit })));
  await Promise.any(places).catch(() => {
    throw failure(`None of ${JSON.stringify(texts)} appeared within ${limit} ms.`);
  });
}
