/** A session with everything in it, attacks included, exported by the program and opened in a real browser. */
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Browser, openBrowser, type Page, type TestRig, testRig } from './test-utils.js';

const BROWSER_MS = 180_000;
const TIME = '2026-11-15T10:00:00.000Z';
const SECRET = 'tok_5e0c9a7b1d3f4e6a8c2b';
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
}, BROWSER_MS);
afterAll(() => browser?.close(), BROWSER_MS);

describe('A session exported as HTML', () => {
  it(
    'is a page that runs and loads nothing of its content, folds, and fits every width',
    async () => {
      const rig = await testRig({ env: { SERVICE_API_KEY: SECRET } });
      const { page, heard } = await open(await exported(rig, 'talk.html'));
      await inOrder(page);
      await folds(page);
      await fits(page);
      expect(heard).toEqual({ requests: [], errors: [] });
      await withstood(page);
      expect(rig.read('talk.html')).not.toContain(SECRET);
    },
    BROWSER_MS,
  );

  it('is written to stdout with --format, and JSON restores its pictures', async () => {
    const rig = await testRig({ env: { SERVICE_API_KEY: SECRET } });
    await exported(rig, 'talk.json');
    const imported = await rig.cli('sessions', 'import', 'talk.json');
    expect(imported.stdout.trim(), imported.stderr).toMatch(/^[\da-f-]{36}$/);
    const page = await rig.cli('sessions', 'export', imported.stdout.trim(), '--format', 'html');
    expect(page.exitCode, page.stderr).toBe(0);
    expect(page.stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(page.stdout).toContain(`data:image/png;base64,${PICTURE}`);
  });

  it('is refused with its name when the file is not a session', async () => {
    const rig = await testRig({ files: { 'bad.json': 'nonsense' } });
    const run = await rig.cli('sessions', 'import', 'bad.json');
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('bad.json');
  });
});

async function inOrder(page: Page): Promise<void> {
  expect(await page.title()).toBe('Everything <script>pwned()</script>');
  expect(await page.locator('nav li').count()).toBe(2);
  expect(await page.locator('.prompt .said').first().textContent()).toContain('日本語のテスト 👩‍💻 ünïcödé');
  expect(await page.getByText('secret surroundings').count()).toBe(0);
  expect(await page.locator('.answer strong').first().textContent()).toBe('Bold');
  expect(await page.locator('.prose .wide td').count()).toBeGreaterThan(0);
  expect(await page.locator('.todos li').allTextContents()).toEqual(['done: one', 'in progress: <i>two</i>']);
  await page.locator('nav a').nth(1).click();
  expect(page.url()).toMatch(/#prompt-2$/);
  await page.locator('.prompt img').scrollIntoViewIfNeeded();
  const width = () => page.evaluate(`document.querySelector('.prompt img').naturalWidth`);
  await expect.poll(width, { timeout: 60_000 }).toBe(1);
}

async function folds(page: Page): Promise<void> {
  const edit = page.locator('details.tool', { hasText: 'a.ts' }).first();
  const line = edit.getByText('new line');
  expect(await line.isVisible()).toBe(false);
  await edit.locator('> summary').click();
  expect(await line.isVisible()).toBe(true);
  expect(await colorOf(page, '.add')).not.toBe(await colorOf(page, '.del'));
  await edit.locator('> summary').click();
  expect(await line.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Unfold all' }).click();
  expect(await page.locator('main details:not(.arguments):not([open])').count()).toBe(0);
  expect(await page.getByText('the thought behind it').isVisible()).toBe(true);
}

function colorOf(page: Page, row: string): Promise<unknown> {
  return page.evaluate(`getComputedStyle(document.querySelector('.diff ${row}')).backgroundColor`);
}

/** Everything is unfolded by now. */
async function fits(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [400, 1200]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${width} px`).toBeLessThanOrEqual(
        width,
      );
    }
  }
}

async function withstood(page: Page): Promise<void> {
  expect(await page.evaluate('typeof window.pwned')).toBe('undefined');
  expect(await page.locator('script').count()).toBe(1);
  expect(
    await page.locator('iframe, object, embed, form, base, link, main [onerror], main script').count(),
  ).toBe(0);
  const links = await page
    .locator('main a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(links).toEqual(['#prompt-1', 'https://good.example/', '#prompt-2']);
  // What a browser would do if a script got in.
  await page.evaluate(
    `document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.pwned=1">')`,
  );
  await page.evaluate(
    `{ const s = document.createElement('script'); s.textContent = 'window.pwned=1'; document.body.append(s) }`,
  );
  expect(await page.evaluate('typeof window.pwned')).toBe('undefined');
}

interface Heard {
  requests: string[];
  errors: string[];
}

async function open(file: string): Promise<{ page: Page; heard: Heard }> {
  const heard: Heard = { requests: [], errors: [] };
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address && !request.url().startsWith('data:'))
      heard.requests.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') heard.errors.push(message.text());
  });
  page.on('pageerror', (error) => heard.errors.push(error.message));
  await page.goto(address);
  return { page, heard };
}

/** @returns the path of the file */
async function exported(rig: TestRig, file: string): Promise<string> {
  rig.write('everything.json', JSON.stringify(everything()));
  const imported = await rig.cli('sessions', 'import', 'everything.json');
  expect(imported.exitCode, imported.stderr).toBe(0);
  const run = await rig.cli('sessions', 'export', 'latest', file);
  expect(run.stdout, run.stderr).toBe(`Session 1 written to ${file}.\n`);
  return rig.path(file);
}

function everything() {
  const evil = '<script>window.pwned=1</script><img src=x onerror="window.pwned=1">';
  const fileDiff = `--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n same\n-old ${evil}\n+new line ${evil}\n`;
  const messages = [
    { type: 'user', content: [{ text: '<session_context>secret surroundings</session_context>' }] },
    { type: 'user', content: [{ text: `日本語のテスト 👩‍💻 ünïcödé ${evil}\n${'wide'.repeat(200)}` }] },
    {
      type: 'gemini',
      model: `model ${evil}`,
      tokens: { input: 10, output: 5, cached: 0, total: 15 },
      thoughts: [{ subject: evil, description: 'the thought behind it', timestamp: TIME }],
      content: [{ text: markdown(evil) }],
      toolCalls: [
        call('edit', {
          description: 'a.ts',
          resultDisplay: { fileDiff, fileName: 'a.ts', filePath: 'a.ts' },
        }),
        call('shell', {
          status: 'error',
          args: { command: `echo ${evil}`, key: SECRET, [evil]: ['x'.repeat(500)] },
          resultDisplay: `\u001b[31mred\u001b[0m\u001b]8;;javascript:pwned()\u0007link\u001b]8;;\u0007 ${evil}\n${'0123456789'.repeat(50_000)}`,
        }),
        call('todos', {
          resultDisplay: {
            todos: [
              { description: 'one', status: 'completed' },
              { description: '<i>two</i>', status: 'in_progress' },
            ],
          },
        }),
        call('md', { renderOutputAsMarkdown: true, resultDisplay: `- ${evil}` }),
        call('screen', { resultDisplay: [[{ text: evil, bold: true, fg: '1' }]] }),
        call('look', { result: [{ functionResponse: { name: 'look', response: {}, parts: [picture()] } }] }),
      ],
    },
    { type: 'user', content: [{ text: 'and this picture' }, picture()] },
    { type: 'gemini', content: [{ text: 'A dot.' }] },
  ];
  return {
    sessionId: 'everything-1',
    startTime: TIME,
    lastUpdated: TIME,
    summary: 'Everything <script>pwned()</script>',
    messages: messages.map((message, n) => ({ id: `m${n}`, timestamp: TIME, ...message })),
  };
}

function markdown(evil: string): string {
  return [
    `**Bold** and ${evil}`,
    '[bad](javascript:window.pwned=1) [data](data:text/html,<script>1</script>) [good](https://good.example/)',
    '![remote](//evil.example/a.png) <iframe src="https://evil.example"></iframe><base href="https://evil.example">',
    '<style>body{display:none}</style><link rel=stylesheet href=https://evil.example/x.css>',
    `| a | ${'long'.repeat(60)} |\n|---|---|\n| ${evil} | ${'ü'.repeat(300)} |`,
    `\`\`\`html\n${evil}\n${'y'.repeat(600)}\n\`\`\``,
    '</div></section></main></body></html>',
  ].join('\n\n');
}

function call(name: string, more: object) {
  return { id: name, name, args: {}, status: 'success', timestamp: TIME, ...more };
}

function picture() {
  return { inlineData: { mimeType: 'image/png', data: PICTURE } };
}
