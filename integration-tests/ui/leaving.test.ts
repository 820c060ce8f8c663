import { callTool, silence, testRig, text } from '@gemini-cli/test-utils/rig';
import { expect, it } from 'vitest';
import { isAlive } from '../test-utils.js';
import { ask, CLEAN, command, LONG, startUi } from './ui.js';

it('Ctrl+D twice quits; with text in the input it deletes', async () => {
  const rig = await testRig();
  const screen = await startUi(rig);
  screen.type('ab');
  screen.press('Home', 'Ctrl+D');
  await screen.waitFor(/> b\s*$/m, LONG);
  screen.press('Ctrl+D', 'Ctrl+D');
  await screen.waitFor('Press Ctrl+D again to exit.', LONG);
  screen.press('Ctrl+D');
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  expect(screen.text()).toContain('Agent powering down. Goodbye!');
  expect(screen.modes()).toEqual(CLEAN);
});

it('Ctrl+C clears the input first, cancels running work, and quits at the second press', async () => {
  const rig = await testRig();
  rig.model.replies([text('Begin'), silence()]);
  const screen = await startUi(rig);
  await ask(screen, 'go', '✦ Begin');
  screen.type('half a thought');
  await screen.waitFor('> half a thought', LONG);
  screen.press('Ctrl+C');
  await screen.waitFor((seen) => !seen.includes('> half a thought') && seen.includes('esc to cancel'), LONG);
  screen.press('Ctrl+C');
  await screen.waitFor('Request cancelled.', LONG);
  screen.press('Ctrl+C');
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  expect(screen.modes()).toEqual(CLEAN);
});

it('Ctrl+C twice quits from inside a dialog', async () => {
  const rig = await testRig();
  const screen = await startUi(rig);
  await command(screen, '/theme');
  await screen.waitFor('Select Theme', LONG);
  screen.press('Ctrl+C', 'Ctrl+C');
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  expect(screen.modes()).toEqual(CLEAN);
});

it('/quit without a conversation prints one line and keeps no session', async () => {
  const rig = await testRig();
  const screen = await startUi(rig);
  await command(screen, '/quit');
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  expect(screen.text()).toContain('Agent powering down. Goodbye!');
  expect(screen.text()).not.toContain('To resume this session');
  expect((await rig.cli('--list-sessions')).stdout).toContain('No ');
  expect(screen.modes()).toEqual(CLEAN);
});

it.each([
  ['where sessions are by default', undefined],
  ["in a folder of the user's choice", '~/kept'],
])('/quit --delete removes what was recorded %s', async (_, sessionStorageDir) => {
  const rig = await testRig({ settings: { general: { sessionStorageDir } } });
  rig.model.replies([text('Noted.')]);
  const screen = await startUi(rig);
  await ask(screen, 'a secret', '✦ Noted.');
  await command(screen, '/quit --delete');
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  expect(screen.text()).not.toContain('To resume this session');
  expect((await rig.cli('--list-sessions')).stdout).not.toContain('a secret');
  expect(screen.modes()).toEqual(CLEAN);
});

it.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const)('%s leaves a clean terminal and a session that can be resumed', async (signal, exitCode) => {
  const rig = await testRig();
  rig.model.replies([text('Kept.')]);
  const screen = await startUi(rig);
  await ask(screen, 'remember this', '✦ Kept.');
  process.kill(screen.pid, signal);
  expect(await screen.exit).toMatchObject({ exitCode });
  expect(screen.modes()).toEqual(CLEAN);
  expect((await rig.cli('--list-sessions')).stdout).toContain('remember this');
});

it('SIGTERM while a command runs ends the command too', async () => {
  const rig = await testRig();
  const loop = 'echo $$ > pid; exec tail -f /dev/null';
  rig.model.replies([callTool('run_shell_command', { command: loop })]);
  const screen = await startUi(rig, ['--approval-mode', 'yolo']);
  await command(screen, 'run');
  await rig.waitForFile('pid');
  await screen.waitFor(() => rig.read('pid').trim() !== '' && screen.text().includes('esc to cancel'), LONG);
  process.kill(screen.pid, 'SIGTERM');
  expect(await screen.exit).toMatchObject({ exitCode: 143 });
  expect(isAlive(Number(rig.read('pid')))).toBe(false);
  expect(screen.modes()).toEqual(CLEAN);
});

it('three Ctrl+C before anything is loaded end the program cleanly', async () => {
  const rig = await testRig();
  const screen = await rig.screen([]);
  await screen.waitFor('Type your message', LONG);
  screen.press('Ctrl+C', 'Ctrl+C', 'Ctrl+C');
  const { exitCode } = await screen.exit;
  expect([0, 130]).toContain(exitCode);
  expect(screen.modes()).toEqual(CLEAN);
});

it('a stopped and continued program draws itself again and loses nothing', async () => {
  const rig = await testRig();
  rig.model.replies([text('Awake.')]);
  const screen = await startUi(rig);
  screen.type('before');
  await screen.waitFor('> before', LONG);
  process.kill(screen.pid, 'SIGSTOP');
  screen.type(' while');
  process.kill(screen.pid, 'SIGCONT');
  screen.type(' after');
  await screen.waitFor('> before while after', LONG);
  screen.press('Enter');
  await screen.waitFor('✦ Awake.', LONG);
  expect(screen.modes()).toMatchObject({ paste: true, focus: true, hiddenCursor: false });
});
