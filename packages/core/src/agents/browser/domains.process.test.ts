import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ToolErrorType } from '../../tools/tool-error.js';
import { AllowedDomains } from './allowed-domains.js';
import {
  type BrowserTask,
  browserHost,
  type PageServer,
  servePages,
  taskIn,
  tempDir,
} from './browser-lab.test-helper.js';
import { findBrowser } from './find-browser.js';
import { browserArguments } from './launch.js';

let home: { path: string; cleanup: () => void };
let browser: Browser;
let server: PageServer;
/** The same server under a host that is not allowed. */
let outside: string;
let task: BrowserTask;

beforeAll(async () => {
  home = tempDir();
  server = await servePages((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/redirect') {
      response.writeHead(302, { location: `${outside}/secret` });
      response.end();
      return undefined;
    }
    return page(pathname);
  });
  outside = server.url.replace('localhost', '127.0.0.1');
  const host = browserHost(home.path);
  browser = await chromium.launch({
    executablePath: findBrowser(host.environment),
    args: browserArguments(new AllowedDomains(['localhost'])),
    chromiumSandbox: false,
  });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  server?.close();
  home?.cleanup();
});
beforeEach(async () => {
  server.requests.length = 0;
  task = await taskIn(await browser.newContext(), browserHost(home.path));
});
afterEach(() => task.close());

function page(pathname: string): string {
  switch (pathname) {
    case '/links':
      return `<a href="${outside}/secret">direct</a> <a href=/redirect>redirected</a>
        <a href="${outside}/secret" target=_blank>tab</a>
        <a href="/open?u=${encodeURIComponent(outside)}">proxy</a>
        <button onclick="window.open('${outside}/secret')">popup</button>
        <button onclick="location='${outside}/secret'">script</button>`;
    case '/embeds':
      return `<title>Embeds</title><iframe src="${outside}/secret"></iframe><iframe src=/redirect></iframe>
        <img src="${outside}/pixel"><p id=result>?</p>
        <script>fetch('${outside}/fetched').catch(() => { result.textContent = 'fetch failed' });
        new WebSocket('${outside.replace('http', 'ws')}/socket');
        navigator.sendBeacon('${outside}/beacon', 'x')</script>`;
    case '/refresh':
      return `<meta http-equiv=refresh content="0;url=${outside}/secret">`;
    default:
      return '<title>Page</title>';
  }
}

const hitsOutside = () => server.requests.filter((line) => line.includes(' 127.0.0.1/'));

describe('the browser agent, outside of its domains,', () => {
  it.each([
    ['an address of another host', () => `${outside}/secret`],
    ['a file', () => 'file:///etc/passwd'],
    ['another site through a parameter', () => `${server.url}/open?u=${encodeURIComponent(outside)}`],
  ])('ends at %s', async (_, address) => {
    const result = await task.call('navigate_page', { url: address() });
    expect(result.error?.type).toBe(ToolErrorType.STOP_EXECUTION);
    expect((await task.call('list_pages')).error?.type).toBe(ToolErrorType.STOP_EXECUTION);
    expect(server.requests).toEqual([]);
  });

  it.each(['direct', 'redirected', 'tab', 'proxy', 'popup', 'script'])(
    'ends at a click: %s',
    async (name) => {
      await task.call('navigate_page', { url: `${server.url}/links` });
      const uid = await task.uid(new RegExp(`"${name}"`));
      const clicked = await task.call('click', { uid });
      const ended = clicked.error ? clicked : await task.call('list_pages');
      expect(ended.error?.type).toBe(ToolErrorType.STOP_EXECUTION);
      expect(ended.error?.message).toContain('agents.browser.allowedDomains');
      expect(hitsOutside()).toEqual([]);
    },
  );

  it('ends when a page goes there by itself', async () => {
    await task.call('navigate_page', { url: `${server.url}/refresh` });
    const waited = await task.call('wait_for', { text: ['x'], timeout: 2_000 });
    expect(waited.error?.type).toBe(ToolErrorType.STOP_EXECUTION);
    expect(hitsOutside()).toEqual([]);
  });

  it('sends nothing to other hosts from an allowed page, and continues', async () => {
    await task.call('navigate_page', { url: `${server.url}/embeds` });
    expect(await task.text('wait_for', { text: ['fetch failed'] })).toContain('RootWebArea "Embeds"');
    expect(hitsOutside()).toEqual([]);
  });
});
