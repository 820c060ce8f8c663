/** The page of the server in a real browser: what a user sees and does, with and without JavaScript. */
import type { Browser, Page } from '@gemini-cli/test-utils/rig';
import { openBrowser } from '@gemini-cli/test-utils/rig';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callTool, text, waitUntil } from '../test-utils.js';
import { a2aRig, message, startServer, Turn } from './a2a-rig.js';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
}, 120_000);

afterAll(() => browser.close());

async function openPage(url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (entry) => {
    if (entry.type() === 'error') problems.push(entry.text());
  });
  onTestFinished(() => expect(problems).toEqual([]));
  await page.goto(url);
  return page;
}

describe('the page', { timeout: 90_000 }, () => {
  it('starts a task, shows the answer while it comes, and lists it', async () => {
    const rig = await a2aRig({ files: { 'a.txt': 'A' } });
    const server = await startServer(rig);
    const page = await openPage(`${server.origin}/ui`);
    expect(await page.textContent('main')).toContain('No tasks yet.');
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    rig.model.replies(
      [callTool('read_file', { file_path: 'a.txt' })],
      [text('First **half**, '), waitUntil(gate), text('second half.')],
    );
    await page.fill('textarea[name=text]', 'Read a.txt <b>now</b>');
    await page.fill('input[name=workspace]', rig.workspace);
    await page.click('text=Start');
    await page.waitForURL(/\/ui\/tasks\//);
    await page.locator('#live', { hasText: 'First **half**,' }).waitFor();
    go();
    await page.locator('#conversation strong', { hasText: 'half' }).waitFor();
    expect(await page.textContent('h1')).toBe('Read a.txt <b>now</b>');
    expect(await page.textContent('#conversation')).toContain('second half.');
    expect(await page.locator('.tool .name').textContent()).toContain('ReadFile');
    expect(await page.textContent('.state')).toBe('input-required');
    await page.click('a[href="/ui"]');
    await page.locator('table.tasks').waitFor();
    expect(await page.textContent('table.tasks tbody')).toMatch(/Read a\.txt.*input-required.*gemini/s);
  });

  it('keeps what the model says while the page is fetched again', async () => {
    const rig = await a2aRig();
    const server = await startServer(rig);
    const page = await openPage(`${server.origin}/ui`);
    const said = page.locator('#live', { hasText: 'First half,' }).waitFor();
    await page.route(/\/ui\/tasks\/[^/]+$/, async (route) => {
      if (route.request().resourceType() === 'fetch') await said;
      await route.continue();
    });
    const refreshed = page.waitForResponse((response) => response.request().resourceType() === 'fetch');
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    rig.model.replies([text('First half, '), waitUntil(gate), text('second half.')]);
    await page.fill('textarea[name=text]', 'Hi');
    await page.fill('input[name=workspace]', rig.workspace);
    await page.click('text=Start');
    await (await refreshed).finished();
    await page.locator('#pending', { hasText: 'Working' }).waitFor();
    expect(await page.textContent('#live')).toBe('First half, ');
    go();
    await page.locator('#conversation', { hasText: 'second half.' }).waitFor();
    await expect.poll(() => page.textContent('#live')).toBe('');
  });

  it('answers a confirmation with an edited file, without JavaScript too, then sends and cancels', async () => {
    const rig = await a2aRig({ files: { 'a.txt': 'one\n' } });
    const server = await startServer(rig);
    rig.model.replies([callTool('write_file', { file_path: 'a.txt', content: 'two\nlines\n' })]);
    const { taskId } = await Turn.of(
      (await server.client()).sendMessageStream(message('Write', { workspace: rig.workspace })),
    );
    const page = await openPage(`${server.origin}/ui/tasks/${taskId}`, { javaScriptEnabled: false });
    expect(await page.textContent('.question')).toContain('a.txt');
    expect(await page.locator('.question .diff').count()).toBe(1);
    await page.click('text=Edit before it is written');
    await page.fill('textarea[name=newContent]', 'three\nlines\n');
    rig.model.replies([text('Written.')]);
    await page.click('text=Allow once');
    await expect.poll(() => rig.read('a.txt')).toBe('three\nlines\n');
    await expect
      .poll(async () => {
        await page.reload();
        return page.textContent('#conversation');
      })
      .toContain('Written.');
    rig.model.replies([text('More.')]);
    await page.fill('textarea[name=text]', 'Go on');
    await page.click('text=Send');
    await expect
      .poll(async () => {
        await page.reload();
        return page.textContent('#conversation');
      })
      .toContain('More.');
    await page.click('text=Cancel the task');
    expect(await page.textContent('.state')).toBe('canceled');
    expect(await page.locator('form').count()).toBe(0);
  });

  it('shows the questions of the model with their options, and sends the answers, without JavaScript too', async () => {
    const rig = await a2aRig();
    const server = await startServer(rig);
    const question = (header: string, fields: object) => ({
      question: `${header} <b>now</b>?`,
      header,
      ...fields,
    });
    const options = ['Red', 'Green', 'Blue'].map((label) => ({ label, description: `${label} it is` }));
    const questions = [
      question('One', { options }),
      question('Some', { options, multiSelect: true }),
      question('Words', { type: 'text', placeholder: 'A name' }),
      question('Sure', { type: 'yesno' }),
    ];
    rig.model.replies([callTool('ask_user', { questions })]);
    const { taskId } = await Turn.of(
      (await server.client()).sendMessageStream(message('Ask me', { workspace: rig.workspace })),
    );
    const page = await openPage(`${server.origin}/ui/tasks/${taskId}`, { javaScriptEnabled: false });
    expect(await page.locator('.question legend').allTextContents()).toEqual(
      ['One', 'Some', 'Words', 'Sure'].map((header) => `${header} <b>now</b>?`),
    );
    expect(await page.locator('.question button').allTextContents()).toEqual(['Send the answers', 'Refuse']);
    await page.check('input[name=answer0][value=Green]');
    await page.check('input[name=answer1][value=Red]');
    await page.check('input[name=answer1][value=Blue]');
    await page.fill('input[name=own1]', 'Pink');
    await page.fill('input[name=own2]', 'Ann');
    rig.model.replies([text('Thanks.')]);
    await page.click('text=Send the answers');
    const { body } = await rig.model.waitForRequest(2);
    expect(body.contents.at(-1)?.parts[0]?.functionResponse?.response).toEqual({
      output: JSON.stringify({ answers: { 0: 'Green', 1: 'Red, Blue, Pink', 2: 'Ann' } }),
    });
  });

  it('says on a page what is wrong with a form that comes too late', async () => {
    const rig = await a2aRig();
    const server = await startServer(rig);
    rig.model.replies([callTool('run_shell_command', { command: 'touch a' })]);
    const client = await server.client();
    const { taskId } = await Turn.of(
      client.sendMessageStream(message('Touch', { workspace: rig.workspace })),
    );
    const context = await browser.newContext({ javaScriptEnabled: false });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${server.origin}/ui/tasks/${taskId}`);
    await client.cancelTask({ id: taskId, tenant: '', metadata: undefined });
    await page.click('text=Allow once');
    expect(await page.textContent('h1')).toBe('This did not work');
    expect(await page.textContent('main')).toContain('is over. Begin a new one.');
    await page.click('text=Tasks');
    expect(await page.textContent('h1')).toBe('Tasks');
  });

  it('shows hostile text as text, and a command as it will run', async () => {
    const rig = await a2aRig();
    const server = await startServer(rig);
    const evil = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">';
    rig.model.replies([
      text(evil),
      callTool('run_shell_command', { command: 'echo \u202egnp.exe \u200b; rm a' }),
    ]);
    const { taskId } = await Turn.of(
      (await server.client()).sendMessageStream(message(evil, { workspace: rig.workspace })),
    );
    const page = await openPage(`${server.origin}/ui/tasks/${taskId}`);
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('main script, main img').count()).toBe(0);
    expect(await page.textContent('.question pre')).toContain('\\u{202E}');
  });

  it('is behind the same credentials, and takes no forms of other pages', async () => {
    const rig = await a2aRig();
    const server = await startServer(rig, { CODER_AGENT_BASIC_AUTH: 'ann:secret' });
    expect((await fetch(`${server.origin}/ui`)).status).toBe(401);
    const page = await openPage(`${server.origin}/ui`, {
      httpCredentials: { username: 'ann', password: 'secret' },
    });
    expect(await page.textContent('h1')).toBe('Tasks');
    const form = (headers: Record<string, string>) =>
      fetch(`${server.origin}/ui/tasks`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          authorization: `Basic ${btoa('ann:secret')}`,
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
        body: 'text=hi',
      });
    expect((await form({})).status).toBe(403);
    expect((await form({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await form({ origin: 'null' })).status).toBe(403);
  });
});
