import { callTool, silence, text } from '@gemini-cli/test-utils';
import { testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { LONG, READY } from './ui.js';

describe('A conversation on the screen', () => {
  it('keeps what is typed from the first moment, sends it and shows the answer', async () => {
    const rig = await testRig();
    rig.model.replies([text('The answer is **42**.')]);
    const screen = await rig.screen([]);
    // These keys are sent before the program has drawn anything.
    screen.type('what is it?');
    await screen.waitFor('> what is it?', LONG);
    screen.press('Enter');
    await screen.waitFor('✦ The answer is 42.', LONG);
    expect(JSON.stringify(rig.model.requests[0]?.body.contents)).toContain('what is it?');
    await screen.waitFor(READY, LONG);
  });

  it('asks for an edit with its diff, makes it, and can refuse it', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    const edit = callTool('replace', {
      file_path: 'a.txt',
      instruction: 'x',
      old_string: 'one',
      new_string: 'two',
    });
    rig.model.replies([edit], [text('Done.')], [edit]);
    const screen = await rig.screen([]);
    screen.type('change it\r');
    await screen.waitFor('Action Required', LONG);
    await screen.waitFor(/- one[\s\S]*\+ two[\s\S]*Apply this change\?[\s\S]*1\. Allow once/, LONG);
    screen.type('y');
    screen.press('Enter');
    await screen.waitFor('✦ Done.', LONG);
    expect(rig.read('a.txt')).toBe('two\n');
    rig.write('a.txt', 'one\n');
    screen.type('again\r');
    await screen.waitFor('Action Required', LONG);
    screen.press('Esc');
    await screen.waitFor('Request cancelled.', LONG);
    expect(rig.read('a.txt')).toBe('one\n');
  });

  it('cancels a running request with Esc and returns queued text to the input', async () => {
    const rig = await testRig();
    rig.model.replies([text('Begin'), silence()]);
    const screen = await rig.screen([]);
    screen.type('go\r');
    await screen.waitFor('esc to cancel', LONG);
    screen.type('and then\r');
    await screen.waitFor('queued: and then', LONG);
    screen.press('Esc');
    await screen.waitFor('Request cancelled.', LONG);
    await screen.waitFor('> and then', LONG);
  });
});

describe('Quitting', () => {
  it('with Ctrl+C twice says goodbye, exits with 0 and restores the terminal', async () => {
    const rig = await testRig();
    const screen = await rig.screen([]);
    await screen.waitFor(READY, LONG);
    await screen.waitFor('/model', LONG);
    screen.press('Ctrl+C');
    await screen.waitFor('Press Ctrl+C again to exit.', LONG);
    screen.press('Ctrl+C');
    expect(await screen.exit).toMatchObject({ exitCode: 0 });
    expect(screen.text()).toContain('Agent powering down. Goodbye!');
    const raw = screen.raw();
    for (const mode of ['?2004', '?1004']) {
      expect(raw.lastIndexOf(`\x1b[${mode}l`)).toBeGreaterThan(raw.lastIndexOf(`\x1b[${mode}h`));
    }
    expect(raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(raw.lastIndexOf('\x1b[?25l'));
  });

  it('with /quit after a conversation shows how to resume it, and the session is listed', async () => {
    const rig = await testRig();
    rig.model.replies([text('Hello!')]);
    const screen = await rig.screen([]);
    screen.type('hi there\r');
    await screen.waitFor('✦ Hello!', LONG);
    screen.type('/quit');
    await screen.waitFor('> /quit', LONG);
    screen.press('Enter');
    await screen.waitFor('To resume this session', LONG);
    await screen.exit;
    const id = /gemini --resume (\S+)/.exec(screen.history())?.[1];
    expect(id).toBeDefined();
    const { stdout } = await rig.cli('--list-sessions');
    expect(stdout).toContain(`[${id}]`);
  });

  it('happens when the terminal is closed', async () => {
    const rig = await testRig();
    const screen = await rig.screen([]);
    await screen.waitFor('/model', LONG);
    screen.kill('SIGHUP');
    expect(await screen.exit).toMatchObject({ exitCode: 129 });
  });
});

it('a session is resumed with its conversation on the screen', async () => {
  const rig = await testRig();
  rig.model.replies([text('First answer.')], [text('Second answer.')]);
  await rig.cli('-p', 'first question');
  const screen = await rig.screen(['--resume']);
  await screen.waitFor(/> first question[\s\S]*✦ First answer\./, LONG);
  screen.type('second question\r');
  await screen.waitFor('✦ Second answer.', LONG);
  expect(JSON.stringify(rig.model.requests[1]?.body.contents)).toContain('First answer.');
});

it('an undecided folder is asked about first; nothing of it is loaded before', async () => {
  const rig = await testRig({
    trust: false,
    files: { '.gemini/settings.json': JSON.stringify({ ui: { hideFooter: true } }) },
  });
  const screen = await rig.screen([]);
  await screen.waitFor('Do you trust this folder?', LONG);
  screen.press('Enter');
  await screen.waitFor((seen) => seen.includes(READY) && !seen.includes('workspace (/directory)'), LONG);
});

it('without a sign-in the dialog offers the offline guide, which answers', async () => {
  const rig = await testRig({ env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined } });
  const screen = await rig.screen([]);
  await screen.waitFor('5. Offline guide', LONG);
  screen.type('5');
  await screen.waitFor(READY, LONG);
  screen.type('what can you do?\r');
  await screen.waitFor('Offline guide: built-in rules', LONG);
});

it('a resize in the middle of an answer loses nothing and shows nothing twice on the screen', async () => {
  const rig = await testRig({ settings: { ide: { hasSeenNudge: true } } });
  const lines = Array.from({ length: 12 }, (_, index) => `Line number ${index} of the answer.`);
  rig.model.replies([text(lines.join('\n\n')), silence()]);
  const screen = await rig.screen([], { env: { TERM_PROGRAM: 'vscode' } });
  screen.type('go\r');
  await screen.waitFor('Line number 10', LONG);
  // As when the edge is dragged: the program sees only some of the sizes.
  for (const columns of [75, 66, 60, 70, 50, 62]) screen.resize(columns, 24);
  await screen.waitFor((seen) => seen.includes(`\n${'─'.repeat(62)}\n`), LONG);
  screen.press('Esc');
  await screen.waitFor('Request cancelled.', LONG);
  // Until the screen was written again.
  await screen.waitFor(() => lines.slice(0, 11).every((line) => screen.history().includes(line)), LONG);
  for (const line of lines) expect(screen.text().split(line).length).toBeLessThanOrEqual(2);
});

it('a command of shell mode is shown and sent to the model', async () => {
  const rig = await testRig();
  rig.model.replies([text('I saw it.')]);
  const screen = await rig.screen([]);
  await screen.waitFor('/model', LONG);
  screen.type('!');
  await screen.waitFor('shell mode enabled', LONG);
  screen.type('echo out$((40+2))\r');
  await screen.waitFor('out42', LONG);
  screen.press('Esc');
  await screen.waitFor((seen) => !seen.includes('shell mode enabled'), LONG);
  screen.type('did you see?\r');
  await screen.waitFor('✦ I saw it.', LONG);
  expect(JSON.stringify(rig.model.requests[0]?.body.contents)).toContain('out42');
});
