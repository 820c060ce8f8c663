import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { callTool, silence, text } from '@gemini-cli/test-utils';
import { testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LONG, READY } from './ui.js';

const EDIT = callTool('replace', {
  file_path: 'a.txt',
  instruction: 'x',
  old_string: 'one',
  new_string: 'two',
});

describe('The start', () => {
  it('shows tips and explains words on the command line; later starts have no tips', async () => {
    const rig = await testRig();
    rig.model.replies([text('Hello.')]);
    rig.writeHome('state.json', JSON.stringify({ tipsShown: 9 }));
    const screen = await rig.screen(['say', 'hello'], { rows: 40 });
    await screen.waitFor(/Tips for getting started:[\s\S]*gemini -p[\s\S]*> say hello[\s\S]*✦ Hello\./, LONG);
    const state = join(rig.home, '.gemini', 'state.json');
    await expect.poll(() => JSON.parse(readFileSync(state, 'utf8')).tipsShown, { timeout: 20_000 }).toBe(10);
    const later = await rig.screen([]);
    await later.waitFor('/model', LONG);
    expect(later.history()).not.toContain('Tips for');
  });

  it("uses the user's keys and reports mistakes in their file", async () => {
    const rig = await testRig({ files: {} });
    rig.writeHome(
      'keybindings.json',
      '[\n{"command":"app.toggleYolo","key":"f5"},\n{"command":"no.such","key":"f6"}\n]',
    );
    const screen = await rig.screen([]);
    await screen.waitFor(/keybindings\.json, line\s+3/, LONG);
    await screen.waitFor('/model', LONG);
    screen.type('\x1b[15~');
    await screen.waitFor('YOLO', LONG);
  });

  it('warns in the home directory', async () => {
    const rig = await testRig({ env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } });
    const screen = await rig.screen([], { cwd: rig.home });
    await screen.waitFor('You are in your home directory', LONG);
  });
});

describe('The keys', () => {
  it('Tab Tab hide all but the needed parts, also at the next start', async () => {
    const rig = await testRig();
    const screen = await rig.screen([]);
    await screen.waitFor('/model', LONG);
    screen.type('\t\t');
    await screen.waitFor((seen) => seen.includes(READY) && !seen.includes('/model'), LONG);
    rig.model.replies([text('Fine.')]);
    const next = await rig.screen([]);
    next.type('hi\r');
    await next.waitFor('✦ Fine.', LONG);
    expect(next.text()).not.toContain('/model');
    next.type('\t\t');
    await next.waitFor('/model', LONG);
  });

  it('Shift+Tab at a question accept edits and answer it', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([EDIT], [text('Done.')]);
    const screen = await rig.screen([]);
    screen.type('change it\r');
    await screen.waitFor('Apply this change?', LONG);
    screen.press('Shift+Tab');
    await screen.waitFor('✦ Done.', LONG);
    await screen.waitFor('auto-accept edits', LONG);
    expect(rig.read('a.txt')).toBe('two\n');
  });

  it('Ctrl+O write a cut response once more, in full', async () => {
    const rig = await testRig();
    const screen = await rig.screen([]);
    await screen.waitFor('/model', LONG);
    screen.type('!');
    await screen.waitFor('shell mode enabled', LONG);
    screen.type('seq 100 140\r');
    await screen.waitFor('Press Ctrl+O to show more lines', LONG);
    expect(screen.history()).not.toMatch(/\b105\b/);
    screen.press('Ctrl+O');
    await screen.waitFor(() => /\b105\b/.test(screen.history()), LONG);
    // Folding and unfolding again does not write it again.
    screen.press('Ctrl+O', 'Ctrl+O');
    screen.type('echo done$((1+1))\r');
    await screen.waitFor('done2', LONG);
    expect(screen.history().split(/\b105\b/)).toHaveLength(2);
  });
});

it('a question notifies a user who is not looking at the window', async () => {
  const rig = await testRig({
    files: { 'a.txt': 'one\n' },
    settings: { general: { enableNotifications: true, notificationMethod: 'osc9' } },
  });
  rig.model.replies([EDIT]);
  const screen = await rig.screen([]);
  screen.type('change it\r');
  await screen.waitFor('Apply this change?', LONG);
  expect(screen.raw()).toContain('\x1b]9;Gemini CLI: Action required: May replace run?\x07');
});

it('a stopped program draws itself again when it continues', async () => {
  const rig = await testRig();
  const screen = await rig.screen([]);
  await screen.waitFor('/model', LONG);
  screen.kill('SIGSTOP');
  const before = screen.raw().length;
  screen.kill('SIGCONT');
  await screen.waitFor(() => screen.raw().slice(before).includes(READY), LONG);
  screen.type('still here');
  await screen.waitFor('> still here', LONG);
});

describe('Without a screen', () => {
  it('a screen reader gets every line once, in words, without a spinner', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies(
      [EDIT],
      [text('First part.\n\n'), text('Second '), text('part.'), text('\n\nThird part.')],
    );
    const screen = await rig.screen(['--screen-reader'], { rows: 60 });
    await screen.waitFor('Folder:', LONG);
    screen.type('change it\r');
    await screen.waitFor('Apply this change?', LONG);
    screen.type('1');
    await screen.waitFor(/Third part\.[\s\S]*Ready\./, LONG);
    const all = screen.history();
    expect(all).toMatch(
      /User: change it[\s\S]*Working\.[\s\S]*Tool Edit a\.txt[\s\S]*success[\s\S]*Model: First part\./,
    );
    expect(all).not.toMatch(/[╭│─⠋✓✦]/);
    // No part of the answer was drawn twice.
    for (const words of ['First part.', 'Second part.', 'Third part.', 'Working.'])
      expect(screen.raw().split(words)).toHaveLength(2);
  });

  it('a dumb terminal gets lines and a prompt, and not one escape sequence', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([EDIT], [text('It is **done**.')], [text('Begin'), silence()]);
    const screen = await rig.screen([], { env: { TERM: 'dumb' }, rows: 60 });
    await screen.waitFor(/Folder:[^\n]*\n>/, LONG);
    screen.type('change it\n');
    await screen.waitFor('Apply this change?', LONG);
    screen.type('1\n');
    await screen.waitFor(/Model: It is done\.\nReady\.\n>/, LONG);
    expect(rig.read('a.txt')).toBe('two\n');
    screen.type('more\n');
    await rig.model.waitForRequest(3);
    screen.press('Ctrl+C');
    await screen.waitFor('Request cancelled.', LONG);
    screen.type('/quit\n');
    expect(await screen.exit).toMatchObject({ exitCode: 0 });
    expect(screen.raw()).not.toContain('\x1b');
  });
});

it('a small window shows a note about its size and can still be used', async () => {
  const rig = await testRig();
  rig.model.replies([text('Fine.')]);
  const screen = await rig.screen([], { cols: 34, rows: 8 });
  await screen.waitFor('Small: 34x8', LONG);
  screen.type('go on\r');
  await screen.waitFor('✦ Fine.', LONG);
  screen.resize(20, 5);
  screen.type('tiny');
  await screen.waitFor('> tiny', LONG);
  screen.resize(19, 4);
  await screen.waitFor('too small', LONG);
});

it('YOLO is refused in a folder that is not trusted, and the user is told', async () => {
  const rig = await testRig({ trust: false });
  rig.writeHome('trustedFolders.json', JSON.stringify({ [rig.workspace]: 'DO_NOT_TRUST' }));
  const screen = await rig.screen([]);
  await screen.waitFor('untrusted', LONG);
  screen.press('Ctrl+Y');
  await screen.waitFor('untrusted folder', LONG);
});

it("a newer version is reported after the start; the user's registry is asked", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(JSON.stringify({ latest: '999.0.0' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const rig = await testRig();
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const screen = await rig.screen([], { env: { npm_config_registry: registry } });
  await screen.waitFor('Version 999.0.0 is available', LONG);
  expect(asked).toHaveLength(1);
});
