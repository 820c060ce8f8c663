/**
 * The whole program in a sandbox: bubblewrap, or what `SANDBOX_UNDER_TEST` names (docker, podman, none); see
 * `npm run test:integration:sandbox:docker`.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTool, silence, testRig, text } from '../test-utils.js';
import { ask, CLEAN, LONG, READY, startUi } from '../ui/ui.js';

const KIND = process.env['SANDBOX_UNDER_TEST'] ?? 'bwrap';
const isSandboxed = KIND !== 'none';
const isContainer = KIND === 'docker' || KIND === 'podman';

/** The scripted model listens on this machine, so a container shares its network. */
const rigOf = (options: Parameters<typeof testRig>[0] = {}) =>
  testRig({
    ...options,
    env: {
      GEMINI_SANDBOX: isSandboxed ? KIND : 'false',
      ...(isContainer && { SANDBOX_FLAGS: '--network host' }),
      ...options.env,
    },
  });

describe(`The program in the sandbox ${KIND}`, () => {
  it('answers a prompt with the text piped to it', async () => {
    const rig = await rigOf();
    rig.model.replies([text('the answer')]);
    const run = await rig.cli('-p', 'question', { stdin: 'piped words' });
    expect(run.stderr).toBe('');
    expect(run).toMatchObject({ exitCode: 0, stdout: 'the answer\n' });
    expect(JSON.stringify(rig.model.lastRequest().body.contents)).toContain('piped words');
  });

  it('ends by a signal with its exit code', async () => {
    const rig = await rigOf();
    rig.model.replies([text('partial'), silence()]);
    const run = rig.spawn('-p', 'x');
    await run.waitForStdout('partial');
    run.kill('SIGTERM');
    expect((await run.done).exitCode).toBe(143);
  });

  it('writes the project, with the file tools and with commands', async () => {
    const rig = await rigOf();
    await runTool(rig, 'write_file', { file_path: 'a.txt', content: 'by a tool\n' });
    await runTool(rig, 'run_shell_command', { command: 'echo by a command > b.txt' });
    expect(rig.read('a.txt')).toBe('by a tool\n');
    expect(rig.read('b.txt')).toBe('by a command\n');
  });

  it.runIf(isSandboxed)('cannot change anything outside, not even in yolo mode', async () => {
    const rig = await rigOf();
    rig.writeHome('settings.json', '{}');
    const targets = [join(rig.home, 'planted'), join(rig.home, '.gemini/commands'), '/usr/local/planted'];
    const command = `${targets.map((path) => `echo x > ${path}`).join('; ')}; echo '{"a":1}' > ${rig.home}/.gemini/settings.json`;
    await runTool(rig, 'run_shell_command', { command });
    for (const path of targets.filter((target) => !isContainer || !target.endsWith('commands')))
      expect(existsSync(path), path).toBe(false);
    expect(rig.read(join(rig.home, '.gemini/settings.json'))).toBe('{}');
  });

  it('saves the session, which continues in the next sandbox', async () => {
    const rig = await rigOf();
    rig.model.replies([text('first answer')], [text('second answer')]);
    await rig.cli('-p', 'first question');
    const run = await rig.cli('--resume', 'latest', '-p', 'second question');
    expect(run.stdout).toBe('second answer\n');
    expect(JSON.stringify(rig.model.lastRequest().body.contents)).toContain('first answer');
  });

  it('has its own screen, which follows the window and leaves a clean terminal', async () => {
    const rig = await rigOf();
    rig.model.replies([text('Hello from inside')]);
    const screen = await startUi(rig, [], { cols: 100 });
    if (isSandboxed) await screen.waitFor('current process', LONG);
    await ask(screen, 'hi', 'Hello from inside');
    screen.resize(70, 24);
    await screen.waitFor(/^─{70}$/m, LONG);
    screen.press('Ctrl+C');
    await screen.waitFor('Press Ctrl+C again to exit.', LONG);
    screen.press('Ctrl+C');
    expect(await screen.exit).toMatchObject({ exitCode: 0 });
    expect(screen.modes()).toEqual(CLEAN);
  });
});

describe('Directories that settings include', () => {
  /** What a command reads and writes in a directory outside the project. */
  async function use(owner: 'user' | 'project') {
    const rig = await testRig({ env: { GEMINI_SANDBOX: 'bwrap' } });
    const shared = join(rig.home, '..', 'shared');
    mkdirSync(shared);
    writeFileSync(join(shared, 'old'), 'old words');
    const settings = JSON.stringify({ context: { includeDirectories: [shared] } });
    if (owner === 'user') rig.writeHome('settings.json', settings);
    else rig.write('.gemini/settings.json', settings);
    const { answer } = await runTool(rig, 'run_shell_command', {
      command: `cat ${shared}/old; echo x > ${shared}/new`,
    });
    return { isRead: answer.output?.includes('old words'), isWritten: existsSync(join(shared, 'new')) };
  }

  it("are writable in bubblewrap if the user's settings name them", async () => {
    expect(await use('user')).toEqual({ isRead: true, isWritten: true });
  });

  it('are read-only in bubblewrap if only the project names them', async () => {
    expect(await use('project')).toEqual({ isRead: true, isWritten: false });
  });

  it.each([
    ['user', true],
    ['project', false],
  ] as const)(
    'open a hidden path for reading if the settings of the %s allow it: %s',
    async (owner, isRead) => {
      const rig = await testRig({ env: { GEMINI_SANDBOX: 'bwrap' } });
      const secrets = join(rig.home, '.ssh');
      mkdirSync(secrets);
      writeFileSync(join(secrets, 'id_test'), 'private words');
      const settings = JSON.stringify({
        tools: { sandboxAllowedPaths: [secrets], sandbox: { enabled: true, allowedPaths: [secrets] } },
      });
      if (owner === 'user') rig.writeHome('settings.json', settings);
      else rig.write('.gemini/settings.json', settings);
      const { answer } = await runTool(rig, 'run_shell_command', { command: `cat ${secrets}/id_test` });
      expect(answer.output?.includes('private words')).toBe(isRead);
    },
  );
});

it('keeps what is typed before the program has started in its sandbox', async () => {
  const rig = await testRig({ env: { GEMINI_SANDBOX: 'bwrap' } });
  const screen = await rig.screen([]);
  await screen.waitFor(READY, LONG);
  screen.type('early words');
  await screen.waitFor((seen) => seen.includes('current process') && seen.includes('> early words'), LONG);
  screen.press('Ctrl+C');
  await screen.waitFor((seen) => !seen.includes('> early words'), LONG);
  screen.press('Ctrl+D', 'Ctrl+D');
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
});

it('stops with its sandbox at Ctrl+Z, and continues with fg', async () => {
  const rig = await testRig({ env: { GEMINI_SANDBOX: 'bwrap' } });
  const shell = ['bash', '--norc', '-i', '-c', '"$0" "$@"; echo shell again; fg; echo ended'];
  const screen = await startUi(rig, [], { under: shell });
  screen.press('Ctrl+Z');
  // The shell gives the terminal back at once; only a program that stopped lets it.
  await screen.waitFor((seen) => seen.includes('shell again') && seen.includes(READY), LONG);
  screen.type('still here');
  await screen.waitFor('> still here', LONG);
  screen.press('Ctrl+C');
  await screen.waitFor((seen) => !seen.includes('> still here'), LONG);
  screen.press('Ctrl+C');
  await screen.waitFor('Press Ctrl+C again to exit.', LONG);
  screen.press('Ctrl+C');
  await screen.waitFor('ended', LONG);
});

it('ends as after a hang-up when its terminal is closed', async () => {
  const rig = await testRig({ env: { GEMINI_SANDBOX: 'bwrap', TERM: 'xterm-256color' } });
  // The shell survives, to tell how the program ended.
  const inside = `trap '' HUP; $PROGRAM; echo $? > code.new; mv code.new code`;
  const terminal = ['bash', '-c', `export PROGRAM="$0 $*"; exec script -qfc "$INSIDE" /dev/null`];
  const run = rig.spawn({ under: terminal, stdin: 'open', env: { INSIDE: inside } });
  await run.waitForStdout('current process');
  run.kill('SIGKILL');
  await rig.waitForFile('code');
  expect(rig.read('code')).toBe('129\n');
});

it('asks about trust before the sandbox, where the answer can be saved', async () => {
  const rig = await testRig({ trust: false, env: { GEMINI_SANDBOX: 'bwrap' } });
  const screen = await rig.screen([]);
  await screen.waitFor('Do you trust this folder?', LONG);
  screen.press('Enter');
  await screen.waitFor('current process', LONG);
  expect(rig.read(join(rig.home, '.gemini/trustedFolders.json'))).toContain(rig.workspace);
  screen.press('Ctrl+D', 'Ctrl+D');
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  expect(screen.modes()).toEqual(CLEAN);
});
