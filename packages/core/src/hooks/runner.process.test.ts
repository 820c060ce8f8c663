/** Hooks as real processes: their input, their environment, and everything they can do wrong. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { tempDir as makeTempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newProbe, probed } from '../platform/process/process-probe.test-helper.js';
import { HookRunner, type HookRunnerOptions } from './runner.js';
import {
  type CommandHookConfig,
  ConfigSource,
  HookEventName,
  type HookInput,
  type RuntimeHookConfig,
} from './types.js';

const { BeforeTool, BeforeAgent, BeforeModel, AfterTool } = HookEventName;
const input = {
  session_id: 's',
  transcript_path: '',
  cwd: '/',
  hook_event_name: BeforeTool,
  timestamp: '2026-01-01T00:00:00.000Z',
  tool_name: 'write_file',
  tool_input: { content: 'x'.repeat(100_000) },
} satisfies HookInput & Record<string, unknown>;

function tempDir(): string {
  const { path, cleanup } = makeTempDir();
  onTestFinished(cleanup);
  return path;
}

function runnerIn(cwd: string, options: Partial<HookRunnerOptions> = {}): HookRunner {
  return new HookRunner({
    isTrusted: () => true,
    variables: { PATH: process.env['PATH'] },
    settings: { environmentRedaction: { enabled: false, allowed: [], blocked: [] } },
    places: () => ({ projectDir: cwd, cwd, plansDir: '/plans', sessionId: 's' }),
    ...options,
  });
}

const command = (text: string, more: Partial<CommandHookConfig> = {}): CommandHookConfig => ({
  type: 'command',
  command: text,
  ...more,
});

/** Waits until no process with this probe is left; fails after ten seconds. */
async function gone(probe: string): Promise<void> {
  for (let count = 0; count < 400 && probed(probe).length > 0; count++) await wait(25);
  expect(probed(probe)).toEqual([]);
}

describe('A hook', () => {
  it('gets one JSON document on stdin, then its end', async () => {
    const dir = tempDir();
    const result = await runnerIn(dir).executeHook(command('cat > got.json; echo done'), BeforeTool, input);
    expect(result).toMatchObject({ success: true, exitCode: 0, stdout: 'done\n' });
    expect(JSON.parse(readFileSync(join(dir, 'got.json'), 'utf8'))).toEqual(input);
  });

  it('sees its own variables last, and the places of the session', async () => {
    const dir = tempDir();
    const variables = { PATH: process.env['PATH'], A: 'parent', MY_API_KEY: 'secret', FREE: 'yes' };
    const settings = { environmentRedaction: { enabled: true, allowed: [], blocked: [] } };
    const runner = runnerIn(dir, { variables, settings });
    const { stdout = '' } = await runner.executeHook(
      command('env', { env: { A: 'own' } }),
      BeforeTool,
      input,
    );
    const env = Object.fromEntries(stdout.split('\n').map((line) => line.split('=', 2)));
    expect(env).toMatchObject({
      A: 'own',
      FREE: 'yes',
      GEMINI_PROJECT_DIR: dir,
      CLAUDE_PROJECT_DIR: dir,
      GEMINI_CWD: dir,
      GEMINI_PLANS_DIR: '/plans',
      GEMINI_SESSION_ID: 's',
    });
    expect(env).not.toHaveProperty('MY_API_KEY');
  });

  it('keeps the quotes of its command, whatever the folder is called', async () => {
    const dir = join(tempDir(), 'a "b" $(touch evil) c');
    const { mkdirSync } = await import('node:fs');
    mkdirSync(dir);
    const result = await runnerIn(dir).executeHook(
      command('printf %s "$GEMINI_PROJECT_DIR"; cat >/dev/null'),
      BeforeTool,
      input,
    );
    expect(result.stdout).toBe(dir);
    expect(existsSync(join(dir, 'evil'))).toBe(false);
  });

  it('of the project is refused at run time while the folder is not trusted', async () => {
    const dir = tempDir();
    const runner = runnerIn(dir, { isTrusted: () => false });
    const ofProject = command('touch ran', { source: ConfigSource.Project });
    expect(await runner.executeHook(ofProject, BeforeTool, input)).toMatchObject({
      success: false,
      error: new Error('Security: Blocked in untrusted folder'),
    });
    expect(existsSync(join(dir, 'ran'))).toBe(false);
    await runner.executeHook({ ...ofProject, source: ConfigSource.User }, BeforeTool, input);
    expect(existsSync(join(dir, 'ran'))).toBe(true);
  });
});

describe('A hook that does something wrong', () => {
  const run = (hook: CommandHookConfig, dir = tempDir()) =>
    runnerIn(dir).executeHook(hook, BeforeTool, input);

  it('and hangs is ended with its children after its time', async () => {
    const { value, environment } = newProbe();
    const result = await run(command('sleep 60 & sleep 61', { timeout: 200, env: environment }));
    expect(result).toMatchObject({ success: false, warning: 'It did not end within 200 ms.' });
    expect(result.output).toBeUndefined();
    expect(result.duration).toBeLessThan(30_000);
    await gone(value);
  });

  it('and ignores SIGTERM is killed 5 s later, and the agent does not wait for it', async () => {
    const { value, environment } = newProbe();
    const stubborn = `trap '' TERM; while :; do sleep 1; done`;
    const result = await run(command(stubborn, { timeout: 1500, env: environment }));
    expect(result.success).toBe(false);
    expect(probed(value).length).toBeGreaterThan(0);
    await gone(value);
  }, 30_000);

  it('and leaves a daemon that keeps its output open is not waited for, and the daemon is ended', async () => {
    const { value, environment } = newProbe();
    const daemon = command('(trap "" HUP; sleep 60) & echo \'{"reason":"kept"}\'', { env: environment });
    const result = await run(daemon);
    expect(result).toMatchObject({ success: true, output: { reason: 'kept' } });
    expect(result.warning).toContain('left processes running');
    expect(result.duration).toBeLessThan(30_000);
    await gone(value);
  });

  it('and prints 100 MB has failed, and little of it is kept', async () => {
    const before = process.memoryUsage().rss;
    const result = await run(command('head -c 104857600 /dev/zero'));
    expect(result).toMatchObject({ success: false, warning: 'It printed more than 10 MB.', stdout: '' });
    expect(process.memoryUsage().rss - before).toBeLessThan(90 * 1024 * 1024);
  });

  it.each([
    ['invalid UTF-8', `printf 'a\\377\\376b'`, { decision: 'allow', systemMessage: 'a\ufffd\ufffdb' }],
    [
      'half a document',
      `printf '{"decision": "de'`,
      { decision: 'allow', systemMessage: '{"decision": "de' },
    ],
    ['JSON of the wrong types', `echo '{"decision":1,"continue":"no"}'`, {}],
    ['a prototype', `echo '{"__proto__":{"decision":"deny"}}'`, {}],
  ])('and prints %s has no effect', async (_what, text, output) => {
    const result = await run(command(text));
    expect(result).toMatchObject({ success: true });
    expect(result.output).toEqual(output);
  });

  it('and closes its input at once is not disturbed by a large one', async () => {
    expect(await run(command(`exec <&-; echo '{"decision":"deny"}'`))).toMatchObject({
      success: true,
      output: { decision: 'deny' },
    });
  });

  it('and does not exist any more, or is not executable, fails with its exit code', async () => {
    const dir = tempDir();
    expect(await run(command('./gone.sh'), dir)).toMatchObject({ success: false, exitCode: 127 });
    writeFileSync(join(dir, 'plain.sh'), 'exit 2');
    chmodSync(join(dir, 'plain.sh'), 0o644);
    expect(await run(command('./plain.sh'), dir)).toMatchObject({ success: false, exitCode: 126 });
  });

  it('and kills itself fails', async () => {
    expect(await run(command('kill -9 $$'))).toMatchObject({
      success: false,
      warning: 'It was ended by SIGKILL.',
    });
  });

  it('in a folder that is gone cannot be started', async () => {
    const result = await run(command('true'), '/does/not/exist');
    expect(result.success).toBe(false);
    expect(result.warning).toContain('It cannot be started');
  });

  it('and is cancelled with the request ends with it', async () => {
    const { value, environment } = newProbe();
    const controller = new AbortController();
    const running = runnerIn(tempDir()).executeHook(
      command('sleep 60', { env: environment }),
      BeforeTool,
      input,
      {
        signal: controller.signal,
      },
    );
    for (let count = 0; count < 200 && probed(value).length === 0; count++) await wait(10);
    controller.abort();
    expect(await running).toMatchObject({ success: false, warning: 'The request was cancelled.' });
    await gone(value);
  });
});

describe('Several hooks', () => {
  it('run side by side, and their results come in order', async () => {
    const dir = tempDir();
    // Each waits for the other one: one after the other they would never end.
    const meet = (own: string, other: string) =>
      command(`touch ${own}; until [ -e ${other} ]; do sleep 0.01; done; echo ${own}`, { timeout: 10_000 });
    const hooks = [meet('a', 'b'), meet('b', 'a')];
    const results = await runnerIn(dir).executeHooksParallel(hooks, BeforeTool, input);
    expect(results.map(({ stdout }) => stdout?.trim())).toEqual(['a', 'b']);
  });

  it('number 50 on one event', async () => {
    const hooks = Array.from({ length: 50 }, (_, index) => command(`echo ${index}`));
    const results = await runnerIn(tempDir()).executeHooksParallel(hooks, BeforeTool, input);
    expect(results.map(({ stdout }) => Number(stdout))).toEqual(hooks.map((_, index) => index));
  });

  const says = (specific: object) => command(`echo '${JSON.stringify({ hookSpecificOutput: specific })}'`);
  const seen = command('cat');

  it.each([
    [BeforeAgent, { prompt: 'p' }, { additionalContext: 'c' }, { prompt: 'p\n\nc' }],
    [
      BeforeModel,
      { llm_request: { model: 'a', messages: [] } },
      { llm_request: { model: 'b' } },
      { llm_request: { model: 'b', messages: [] } },
    ],
    [BeforeTool, { tool_input: { a: 1, b: 1 } }, { tool_input: { b: 2 } }, { tool_input: { a: 1, b: 2 } }],
    [BeforeTool, { tool_input: { a: 1 } }, { updatedInput: { a: 3 } }, { tool_input: { a: 3 } }],
    [AfterTool, { tool_input: { a: 1 } }, { tool_input: { a: 2 } }, { tool_input: { a: 1 } }],
  ])('in sequence hand on their changes: %s %j', async (event, own, change, expected) => {
    const { tool_input: _, ...common } = input;
    const given = { ...common, ...own };
    const hooks = [says(change), seen];
    const [, last] = await runnerIn(tempDir()).executeHooksSequential(hooks, event, given);
    expect(JSON.parse(last?.stdout ?? '')).toMatchObject(expected);
  });

  it('in sequence hand on nothing of one that failed', async () => {
    const bad = command(`echo '{"hookSpecificOutput":{"tool_input":{"content":"bad"}}}'; exit 1`);
    const [, last] = await runnerIn(tempDir()).executeHooksSequential([bad, seen], BeforeTool, input);
    expect(JSON.parse(last?.stdout ?? '')).toEqual(input);
  });
});

describe('A function of a program', () => {
  const run = (action: RuntimeHookConfig['action'], timeout?: number) =>
    runnerIn(tempDir()).executeHook(
      { type: 'runtime', name: 'mine', action, ...(timeout !== undefined && { timeout }) },
      BeforeTool,
      input,
    );

  it('answers like a command, from a copy of the input', async () => {
    const result = await run((given) => {
      given.session_id = 'changed';
      return { decision: 'deny', reason: 'no' };
    });
    expect(result).toMatchObject({ success: true, output: { decision: 'deny', reason: 'no' } });
    expect(input.session_id).toBe('s');
    expect((await run(() => undefined)).output).toEqual({});
  });

  it('that throws or takes too long has failed, and learns that its time is over', async () => {
    const thrown = await run(async () => {
      throw new Error('broken');
    });
    expect(thrown).toMatchObject({ success: false, warning: 'broken' });
    let wasAborted = false;
    const slow = await run((_, { signal }) => {
      signal.addEventListener('abort', () => {
        wasAborted = true;
      });
      return new Promise(() => undefined);
    }, 20);
    expect(slow).toMatchObject({ success: false, warning: 'It did not end within 20 ms.' });
    expect(wasAborted).toBe(true);
  });
});
