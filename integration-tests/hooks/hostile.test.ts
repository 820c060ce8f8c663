/** Hooks of strangers, and hooks that misbehave: nothing runs before trust, and nothing keeps the agent from going on. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BUNDLE, callTool, hostileFolder, isAlive, markers, testRig, text } from '../test-utils.js';
import { EVENTS, loggedInputs, logging } from './hook-log.js';

const hook = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });
const everywhere = (command: string) => Object.fromEntries(EVENTS.map((event) => [event, [hook(command)]]));

describe('The hooks of a folder that is not trusted', () => {
  it('never run, in a headless run or on the screen, and those of the user do', async () => {
    const mark = (name: string) => `touch "$GEMINI_PROJECT_DIR/.ran/${name}"`;
    const rig = await testRig({ trust: false });
    hostileFolder(rig.workspace);
    rig.write('.gemini/settings.json', JSON.stringify({ hooks: everywhere(mark('project')) }));
    rig.write(
      '.gemini/hooks.toml',
      `[hooks.SessionStart]\nhooks = [ { type = "command", command = "touch .ran/toml" } ]`,
    );
    rig.writeHome('settings.json', JSON.stringify({ hooks: { SessionStart: [hook(mark('user'))] } }));
    expect((await rig.cli('-p', 'x')).exitCode).toBe(55);
    expect(markers(rig.workspace)).toEqual([]);
    rig.model.replies([callTool('read_file', { file_path: 'README.md' })], [text('ok')]);
    const screen = await rig.screen(['-i', 'go'], { env: { GEMINI_CLI_TRUST_WORKSPACE: 'false' } });
    await screen.waitFor('✦ ok');
    expect(markers(rig.workspace)).toEqual(['user']);
    expect(existsSync(join(rig.home, '.gemini/trusted_hooks.json'))).toBe(false);
  });
});

describe('The hooks of a trusted folder', () => {
  it('are shown with their commands before they first run, once, and again when a command changes', async () => {
    const rig = await testRig();
    const write = (command: string) =>
      rig.write(
        '.gemini/settings.json',
        JSON.stringify({ hooks: { SessionStart: [hook(command, { name: 'setup' })] } }),
      );
    const told = async () => {
      rig.model.replies([text('ok')]);
      const { stderr } = await rig.cli('-p', 'x');
      return /new or changed hooks[^\n]*: (setup [^\n]*?)\. /.exec(stderr)?.[1];
    };
    write('echo one >> ran');
    expect([await told(), await told()]).toEqual(['setup (echo one >> ran)', undefined]);
    write('echo two >> ran');
    expect([await told(), await told()]).toEqual(['setup (echo two >> ran)', undefined]);
    expect(rig.read('ran')).toBe('one\none\ntwo\ntwo\n');
    const store = JSON.parse(readFileSync(join(rig.home, '.gemini/trusted_hooks.json'), 'utf8'));
    expect(store).toEqual({ [rig.workspace]: ['setup:echo one >> ran', 'setup:echo two >> ran'] });
  });

  it('run in the sandbox of tools where one is set, with their own variables; those of the user do not', async () => {
    const outside = realpathSync(mkdtempSync('/var/tmp/gemini-hooks-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    const write = (name: string) =>
      hook(`echo "$OWN" > "$GEMINI_PROJECT_DIR/${name}"; echo x > ${outside}/${name}`, {
        env: { OWN: name },
      });
    const rig = await testRig({
      settings: { security: { toolSandboxing: true }, hooks: { SessionStart: [write('user')] } },
      files: { '.gemini/settings.json': JSON.stringify({ hooks: { SessionStart: [write('project')] } }) },
    });
    rig.model.replies([text('ok')]);
    const run = await rig.cli('-p', 'x');
    expect(run.stdout, run.stderr).toBe('ok\n');
    expect([rig.read('project'), rig.read('user')]).toEqual(['project\n', 'user\n']);
    expect([existsSync(join(outside, 'project')), existsSync(join(outside, 'user'))]).toEqual([false, true]);
  });
});

describe('A hook that misbehaves', () => {
  it('is named in one warning per event, and the agent continues', async () => {
    const rig = await testRig({
      settings: {
        hooks: {
          BeforeAgent: [hook('exit 3', { name: 'three' }), hook('sleep 60', { name: 'slow', timeout: 300 })],
          AfterModel: [hook('echo bad >&2; exit 1', { name: 'one' })],
        },
      },
    });
    rig.model.replies([text('a'), text('b'), text('c')]);
    const run = await rig.cli('-p', 'x');
    expect([run.exitCode, run.stdout]).toEqual([0, 'abc\n']);
    const warnings = run.stderr.split('\n').filter((line) => line.startsWith('[WARNING]'));
    expect(warnings).toEqual([
      '[WARNING] three, slow: three: exited with code 3 slow: It did not end within 300 ms.',
      '[WARNING] one: Warning: bad (exited with code 1)',
    ]);
  });

  it('and starts gemini itself does not run again inside of it', async () => {
    const nested = `${logging()} "${process.execPath}" "${BUNDLE}" -p inner`;
    const rig = await testRig({
      settings: {
        hooks: {
          SessionStart: [hook(nested, { name: 'nested' })],
          BeforeAgent: [hook(logging(), { name: 'log' })],
        },
      },
    });
    rig.model.replies([text('inner answer')], [text('outer answer')]);
    const run = await rig.cli('-p', 'outer');
    expect([run.exitCode, run.stdout], run.stderr).toEqual([0, 'outer answer\n']);
    expect(run.stderr).toContain('nested: inner answer');
    expect(loggedInputs(rig).map(({ hook_event_name, prompt }) => [hook_event_name, prompt])).toEqual([
      ['SessionStart', undefined],
      ['BeforeAgent', 'inner'],
      ['BeforeAgent', 'outer'],
    ]);
  });

  it('at the end of the session delays the exit by 5 s at most', async () => {
    const rig = await testRig({ settings: { hooks: { SessionEnd: [hook('sleep 60', { name: 'never' })] } } });
    rig.model.replies([text('ok')]);
    const started = performance.now();
    const run = await rig.cli('-p', 'x');
    expect([run.exitCode, run.stdout]).toEqual([0, 'ok\n']);
    expect(performance.now() - started).toBeLessThan(40_000);
    expect(run.stderr).toContain('never: It did not end within 4500 ms.');
  });
});

it('no hook outlives the program, even if it is killed', async () => {
  // It gets its input after the program has noted its group: a kill between start and note would leave it.
  const command =
    'cat > /dev/null; sleep 300 & echo $! > child.pid; echo $$ > hook.pid.new; mv hook.pid.new hook.pid; trap "" TERM HUP; sleep 301';
  const rig = await testRig({
    settings: { hooks: { BeforeAgent: [hook('exit 0', { name: 'first' }), hook(command)] } },
  });
  const run = rig.spawn('-p', 'x');
  await rig.waitForFile('hook.pid');
  run.kill('SIGKILL');
  await run.done;
  const pids = ['hook.pid', 'child.pid'].map((file) => Number(rig.read(file)));
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 10_000 });
});

it('hooksConfig.enabled: false and hooksConfig.disabled keep hooks from running', async () => {
  const rig = await testRig();
  const run = async (hooksConfig: object) => {
    rig.writeHome('settings.json', JSON.stringify({ hooks: everywhere('echo x >> ran'), hooksConfig }));
    rig.model.replies([text('ok')]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('ok\n');
  };
  await run({ enabled: false });
  await run({ disabled: ['echo x >> ran'] });
  expect(rig.exists('ran')).toBe(false);
  await run({ disabled: ['another'] });
  expect(rig.exists('ran')).toBe(true);
});
