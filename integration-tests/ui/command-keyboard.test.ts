import { callTool, type Screen, testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { command, LONG, startUi } from './ui.js';

const FOCUSED = 'typing into the command (shift+tab to leave)';

async function run(screen: Screen, line: string): Promise<void> {
  screen.type('!');
  await screen.waitFor('shell mode enabled', LONG);
  screen.type(`${line}\r`);
  await screen.waitFor('tab to type into it', LONG);
}

async function focus(screen: Screen): Promise<void> {
  screen.press('Tab');
  await screen.waitFor(FOCUSED, LONG);
}

const ended = (seen: string) => seen.includes('shell mode enabled (esc to disable)');

describe('A command of the user gets the keyboard with Tab', () => {
  it('when it reads a line', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    await run(screen, 'read -p "name? " n; echo "hi $n"');
    await focus(screen);
    screen.type('Bob\r');
    await screen.waitFor((seen) => seen.includes('hi Bob') && ended(seen), LONG);
  });

  it('when it asks for a password, which is never shown', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    await run(screen, 'read -s -p "Password: " p; echo; printf "$p" | wc -c | sed "s/^ */length /"');
    await screen.waitFor('Password:', LONG);
    await focus(screen);
    screen.type('tops3cret\r');
    await screen.waitFor((seen) => seen.includes('length 9') && ended(seen), LONG);
    expect(screen.raw()).not.toContain('tops3cret');
  });

  it('when it is an editor, Esc included', async () => {
    const rig = await testRig({ files: { 'x.txt': 'old words\n' } });
    const screen = await startUi(rig, [], { rows: 40 });
    await run(screen, 'vi -u NONE x.txt');
    await focus(screen);
    await screen.waitFor('old words', LONG);
    screen.type('Onew line');
    await screen.waitFor('new line', LONG);
    screen.press('Esc');
    screen.type(':wq\r');
    await screen.waitFor(ended, LONG);
    expect(rig.read('x.txt')).toBe('new line\nold words\n');
  });

  it('when it redraws all the time', async () => {
    const rig = await testRig();
    const screen = await startUi(rig, [], { rows: 40 });
    await run(screen, 'top -d 1');
    await focus(screen);
    await screen.waitFor('load average', LONG);
    screen.type('q');
    await screen.waitFor(ended, LONG);
  });

  it('when it prints all the time', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    await run(screen, 'i=0; until read -t 0.2 -n 1 k; do i=$((i+1)); echo tick$i; done; echo "got $k"');
    await screen.waitFor('tick3', LONG);
    await focus(screen);
    screen.type('z');
    await screen.waitFor((seen) => seen.includes('got z') && ended(seen), LONG);
  });

  it('when it is a REPL; Shift+Tab returns the keyboard', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    await run(screen, `${process.execPath} -i`);
    await screen.waitFor('Welcome to Node', LONG);
    await focus(screen);
    screen.type('40 + 2\r');
    await screen.waitFor('42', LONG);
    screen.press('Shift+Tab');
    await screen.waitFor((seen) => !seen.includes(FOCUSED) && seen.includes('tab to type into it'), LONG);
    await focus(screen);
    screen.press('Ctrl+D');
    await screen.waitFor(ended, LONG);
  });
});

it('a line entered while a command of the user runs is not sent to the model; Esc cancels the command', async () => {
  const rig = await testRig();
  const screen = await startUi(rig);
  await run(screen, 'read x; echo never');
  screen.type('Bob\r');
  await screen.waitFor('cannot be queued', LONG);
  screen.press('Ctrl+C');
  await screen.waitFor((seen) => !seen.includes('! Bob'), LONG);
  screen.press('Esc');
  await screen.waitFor((seen) => seen.includes('-  Shell  read x') && ended(seen), LONG);
  expect(rig.model.requests).toHaveLength(0);
});

it('a command of the model gets the keyboard from its start on', async () => {
  const rig = await testRig();
  rig.model.replies(
    [callTool('run_shell_command', { command: 'while ! read -t 0.2 l; do echo tick; done; echo "got $l"' })],
    [text('Done.')],
  );
  const screen = await startUi(rig, ['--yolo']);
  await command(screen, 'go');
  await screen.waitFor('tab to type into it', LONG);
  await focus(screen);
  screen.type('hello\r');
  await screen.waitFor((seen) => seen.includes('got hello') && seen.includes('Done.'), LONG);
});

it('leaving names the background commands that end with it', async () => {
  const rig = await testRig();
  const screen = await startUi(rig, [], { cols: 120 });
  await run(screen, 'sleep 12345');
  await screen.waitFor('ctrl+b to background', LONG);
  screen.press('Ctrl+B');
  await screen.waitFor('1 background process (ctrl+b to view)', LONG);
  screen.press('Esc');
  await screen.waitFor((seen) => !seen.includes('shell mode'), LONG);
  screen.press('Ctrl+C');
  await screen.waitFor('Press Ctrl+C again to exit; this ends 1 background task.', LONG);
  screen.press('Ctrl+C');
  await screen.exit;
  expect(screen.history()).toMatch(/Ended 1 background command:\s[\s\S]*sleep 12345 \(PID \d+\)/);
});
