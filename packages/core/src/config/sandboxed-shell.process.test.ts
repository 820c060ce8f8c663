import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { runProcess } from '../platform/process/process-runner.js';
import { listProcesses, membersOf } from '../platform/process/process-tree.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import {
  connectTo,
  hasPlaceholders,
  invocationOf,
  localPort,
  outsideFolder,
  requireBubblewrap,
  run,
  sandboxedConfig,
  textOf,
} from './sandboxed-config.test-helper.js';

vi.setConfig({ testTimeout: 30_000 });
beforeAll(requireBubblewrap);

const WAYS = [
  ['a terminal', {}],
  ['pipes', { shell: { enableInteractiveShell: false } }],
] as const;

describe.each(WAYS)('a sandboxed command with %s', (_way, overrides) => {
  it('writes the project and nothing else, and the model gets the failure', async () => {
    const config = await sandboxedConfig(overrides);
    const outside = outsideFolder();
    const inside = await run(config, 'echo new > file; cat file');
    expect(inside.llmContent).toContain('Output: new\n');
    expect(readFileSync(join(config.getTargetDir(), 'file'), 'utf8')).toBe('new\n');
    const failed = await run(config, `echo new > ${outside}/file`);
    expect(failed.llmContent).toMatch(/Output: .*Read-only file system\nExit Code: 1\n/);
    expect(existsSync(join(outside, 'file'))).toBe(false);
  });

  it('has no background jobs after its end, and passes on its exit code', async () => {
    const config = await sandboxedConfig(overrides);
    const result = await run(config, 'sleep 300 & exit 7');
    expect(result.llmContent).toMatch(/Output: \(empty\)\nExit Code: 7\nProcess Group PGID: \d+\n/);
    expect(result.data).toEqual({ exitCode: 7, isError: true });
  });

  it('has only the network of its mode and settings', async () => {
    const port = await localPort();
    const closed = await sandboxedConfig(overrides);
    expect(await textOf(run(closed, connectTo(port)))).toContain('no connection');
    const yolo = await sandboxedConfig({ ...overrides, approvalMode: ApprovalMode.YOLO });
    expect(await textOf(run(yolo, connectTo(port)))).toContain('welcome');
    const opened = await sandboxedConfig({ ...overrides, sandboxNetworkAccess: true });
    expect(await textOf(run(opened, connectTo(port)))).toContain('welcome');
  });

  it('leaves nothing behind, however it ends', async () => {
    const config = await sandboxedConfig(overrides);
    const service = config.getShellExecutionService();
    const target = config.getTargetDir();
    await run(config, 'test -d .gemini && touch seen');
    expect(existsSync(join(target, 'seen'))).toBe(true);
    expect(hasPlaceholders(config)).toBe(false);

    expect(await textOf(run(config, { command: 'sleep 300', timeout_ms: 300 }))).toContain('did not end');
    expect(hasPlaceholders(config)).toBe(false);

    const controller = new AbortController();
    const updateOutput = () => controller.abort();
    const options = { abortSignal: controller.signal, updateOutput };
    await invocationOf(config, { command: 'echo begun; sleep 300' }).execute(options);
    expect(hasPlaceholders(config)).toBe(false);

    await invocationOf(config, { command: 'touch ran' }).execute(AbortSignal.abort());
    expect(existsSync(join(target, 'ran'))).toBe(false);

    const background = await run(config, { command: 'sleep 300', is_background: true, delay_ms: 0 });
    expect(hasPlaceholders(config)).toBe(true);
    await service.kill(Number(background.data?.['pid']));
    expect(hasPlaceholders(config)).toBe(false);
  });
});

describe('a sandboxed command that waits for input', () => {
  it.each([['read -r line'], ['read -r -p "Name: " line']])(
    'is detected and can be answered: %s',
    async (ask) => {
      const config = await sandboxedConfig();
      const waiting = await run(config, `${ask}; echo "got <$line>"`);
      expect(waiting.data).toMatchObject({ waitingForInput: true });
      const service = config.getShellExecutionService();
      const signal = new AbortController().signal;
      const answer = await service.sendInput(Number(waiting.data?.['pid']), 'Ada\r', { signal });
      expect(answer).toMatchObject({ state: 'exited', exitCode: 0 });
      expect(answer?.output).toContain('got <Ada>');
      expect(hasPlaceholders(config)).toBe(false);
    },
  );
});

it('does not hold the terminals of other commands, neither inside nor in the sandbox process', async () => {
  const config = await sandboxedConfig();
  await run(config, { command: 'sleep 300', is_background: true, delay_ms: 0 });
  const controller = new AbortController();
  let pid = 0;
  let held: string[] = [];
  await invocationOf(config, { command: 'echo up; sleep 300' }).execute({
    abortSignal: controller.signal,
    setExecutionIdCallback: (id) => {
      pid = id;
    },
    // The command itself prints: everything around it has started.
    updateOutput: () => {
      held = membersOf(listProcesses(), [{ pid }]).flatMap((member) =>
        readdirSync(`/proc/${member.pid}/fd`).map((fd) => linkOf(`/proc/${member.pid}/fd/${fd}`)),
      );
      controller.abort();
    },
  });
  expect(held.length).toBeGreaterThan(0);
  expect(held.filter((path) => path.includes('ptmx'))).toEqual([]);
});

/** Closed meanwhile: empty. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

describe('the reach of a sandboxed command', () => {
  it("includes tools.sandboxAllowedPaths and the project's temporary directory", async () => {
    const outside = outsideFolder();
    const config = await sandboxedConfig({ sandboxAllowedPaths: [outside] });
    const temporary = config.storage.getProjectTempDir();
    await run(config, `echo one > ${outside}/file; echo two > ${temporary}/file`);
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('one\n');
    expect(readFileSync(join(temporary, 'file'), 'utf8')).toBe('two\n');
  });

  it('excludes our own state: history, rules, settings', async () => {
    const config = await sandboxedConfig();
    const state = join(process.env['GEMINI_CLI_HOME'] ?? '', '.gemini');
    for (const name of ['history/undo', 'policies/rule.toml', 'settings.json']) {
      mkdirSync(join(state, name, '..'), { recursive: true });
      writeFileSync(join(state, name), 'SECRET');
    }
    const text = await textOf(run(config, `cat ${state}/*/* ${state}/*; rm -rf ${state}/*`));
    expect(text).not.toContain('SECRET');
    for (const name of ['history/undo', 'policies/rule.toml', 'settings.json'])
      expect(readFileSync(join(state, name), 'utf8'), name).toBe('SECRET');
  });

  it('includes the repository, for git alone and without settings that start programs', async () => {
    const config = await sandboxedConfig();
    const target = config.getTargetDir();
    const git = 'git -c user.name=a -c user.email=a@example.com';
    await runProcess('git', ['init', '-q', '-b', 'main', target], { env: process.env });
    const before = readFileSync(join(target, '.git/config'), 'utf8');
    const committed = await run(config, `${git} commit -q --allow-empty -m first && git log --format=%s`);
    expect(committed.llmContent).toContain('Output: first\n');
    expect(await textOf(run(config, 'git config core.fsmonitor evil'))).toContain('Exit Code');
    expect(readFileSync(join(target, '.git/config'), 'utf8')).toBe(before);
    expect(await textOf(run(config, 'echo x > .git/HEAD'))).toContain('Read-only file system');
  });

  it('includes include directories for reading only', async () => {
    const outside = outsideFolder();
    writeFileSync(join(outside, 'file'), 'included');
    const config = await sandboxedConfig({ includeDirectories: [outside] });
    const text = await textOf(run(config, `cat ${outside}/file; echo x > ${outside}/file`));
    expect(text).toMatch(/included.*Read-only/s);
  });
});

const HIGHEST_ID = '/proc/sys/kernel/pid_max';

describe('an unavailable sandbox', () => {
  it('runs nothing and says why and what to do', async () => {
    const programs = outsideFolder();
    const fake = join(programs, 'bwrap');
    writeFileSync(fake, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n');
    chmodSync(fake, 0o755);
    vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`);
    const config = await sandboxedConfig();
    const highestId = readFileSync(HIGHEST_ID, 'utf8');
    try {
      const result = await run(config, 'touch ran');
      expect(result.error).toMatchObject({ type: 'shell_execute_error' });
      expect(result.llmContent).toMatch(
        /^The command was not run:.*does not isolate.*security\.toolSandboxing/s,
      );
      expect(existsSync(join(config.getTargetDir(), 'ran'))).toBe(false);
      // What limits the sandbox must not limit the machine.
      expect(readFileSync(HIGHEST_ID, 'utf8')).toBe(highestId);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('a process that is not a shell command', () => {
  it('gets the permissions of the mode', async () => {
    const port = await localPort();
    const outside = outsideFolder();
    const config = await sandboxedConfig();
    const cwd = config.getTargetDir();
    const script = `echo in > inside; (echo out > ${outside}/file) 2>/dev/null || echo refused; ${connectTo(port)}`;
    const invocation = { command: 'bash', args: ['-c', script], cwd, env: { PATH: process.env['PATH'] } };
    const wrapped = await config.getToolSandbox()?.wrapProcess(invocation);
    if (!wrapped) throw new Error('There is no sandbox.');
    const { stdout } = await runProcess(wrapped.command, wrapped.args, { cwd, env: wrapped.env });
    await wrapped.cleanup();
    expect(stdout).toBe('refused\nno connection\n');
    expect(readFileSync(join(cwd, 'inside'), 'utf8')).toBe('in\n');
    expect(hasPlaceholders(config)).toBe(false);
  });
});
