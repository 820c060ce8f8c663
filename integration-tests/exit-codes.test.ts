import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiError, callTool, testRig, text } from './test-utils.js';

const READ = callTool('read_file', { file_path: 'a.txt' });

describe('Exit code 0', () => {
  it.each([['--version'], ['-v']])('%s prints the version on stdout', async (flag) => {
    const rig = await testRig();
    const { exitCode, stdout, stderr } = await rig.cli(flag);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });

  it.each([['--help'], ['-h']])('%s prints every flag that is not hidden on stdout', async (flag) => {
    const rig = await testRig();
    const { exitCode, stdout, stderr } = await rig.cli(flag);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const name of VISIBLE_FLAGS) expect(stdout, name).toContain(`--${name}`);
    expect(stdout).not.toContain('--fake-responses');
    expect(stdout).not.toContain('--record-responses');
  });
});

describe('Exit code 1', () => {
  it.each([
    ['an unknown flag', ['--no-such-flag'], /no-such-flag/],
    ['a bad choice', ['-p', 'x', '-o', 'xml'], /xml/],
    ['a missing value', ['-p'], /prompt/],
    ['-p with a positional query', ['-p', 'x', 'y'], /prompt|positional/i],
    ['-p with -i', ['-p', 'x', '-i', 'y'], /prompt-interactive/],
    ['--yolo with --approval-mode', ['-p', 'x', '--yolo', '--approval-mode', 'plan'], /yolo/],
    ['--resume with --session-id', ['-p', 'x', '--resume', 'latest', '--session-id', 'a'], /session-id/],
  ])('%s prints a message, then help, on stderr', async (_what, args, message) => {
    const rig = await testRig();
    const { exitCode, stdout, stderr } = await rig.cli(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toContain('--approval-mode');
    expect(rig.model.requests).toHaveLength(0);
  });

  it("an API error prints one line with the server's message", async () => {
    const rig = await testRig();
    rig.model.replies([apiError(400, 'Request contains an invalid argument.')]);
    const { exitCode, stdout, stderr } = await rig.cli('-p', 'x', { env: { NO_COLOR: '1' } });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining('Request contains an invalid argument.'),
    ]);
  });

  it('stack traces are printed only with --debug', async () => {
    const rig = await testRig();
    rig.model.replies([apiError(400, 'bad')]);
    expect((await rig.cli('-p', 'x')).stderr).not.toMatch(/^\s+at /m);
  });
});

describe('Exit code 41', () => {
  it('is used without credentials, and all sign-in methods are named', async () => {
    const rig = await testRig({ env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined } });
    const { exitCode, stdout, stderr } = await rig.cli('-p', 'x');
    expect({ exitCode, stdout }).toEqual({ exitCode: 41, stdout: '' });
    for (const way of [
      'GEMINI_API_KEY',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_GENAI_USE_GCA',
      '--model offline',
      'settings.json',
    ]) {
      expect(stderr).toContain(way);
    }
  });

  it('is used when the server rejects the key', async () => {
    const rig = await testRig();
    rig.model.replies([apiError(401, 'API key not valid.')]);
    const run = await rig.cli('-p', 'x', '-o', 'json');
    expect(run.exitCode).toBe(41);
    expect(run.json().error?.message).toContain('API key not valid.');
    expect(rig.model.requests).toHaveLength(1);
  });
});

describe('Messages that scripts look for', () => {
  it('name the enforced and the current sign-in', async () => {
    const settings = { security: { auth: { enforcedType: 'vertex-ai' } } };
    const rig = await testRig({ settings });
    const run = await rig.cli('-p', 'x', '-o', 'json');
    expect(run.exitCode).toBe(41);
    expect(run.json().error).toMatchObject({
      type: 'Error',
      message: expect.stringMatching(
        /enforced authentication type is 'vertex-ai'.*current type is 'gemini-api-key'/,
      ),
    });
  });

  it('say that -i needs a keyboard', async () => {
    const { exitCode, stderr } = await (await testRig()).cli('-i', 'x');
    expect(exitCode).toBe(42);
    expect(stderr).toContain('--prompt-interactive flag cannot be used when input is piped');
  });
});

describe('Exit code 42', () => {
  it.each([
    ['no prompt at all', []],
    ['an empty prompt', ['-p', '']],
    ['-i with piped stdin', ['-i', 'x']],
  ])('is used for %s', async (_what, args) => {
    const rig = await testRig();
    const { exitCode, stdout, stderr } = await rig.cli(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 42, stdout: '' });
    expect(stderr.trim()).not.toBe('');
    expect(rig.model.requests).toHaveLength(0);
  });

  it('is used for a reference to a file outside the workspace, which is named', async () => {
    const rig = await testRig();
    const run = await rig.cli('-p', 'read @/etc/passwd', '-o', 'json');
    expect(run.exitCode).toBe(42);
    expect(run.json().error).toMatchObject({
      type: 'FatalInputError',
      message: expect.stringContaining('/etc/passwd'),
    });
    expect(rig.model.requests).toHaveLength(0);
  });
});

describe('Exit code 44', () => {
  it('is used when no sandbox can be started, and nothing runs without it', async () => {
    const rig = await testRig();
    // A bubblewrap that fails, and an image that does not exist anywhere.
    rig.write('bin/bwrap', '#!/bin/sh\nexit 1\n');
    chmodSync(rig.path('bin/bwrap'), 0o755);
    const env = { PATH: `${rig.path('bin')}:${process.env['PATH']}` };
    const { exitCode, stdout, stderr } = await rig.cli('-p', 'x', '--sandbox', { env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 44, stdout: '' });
    expect(stderr).toMatch(/sandbox/i);
    expect(rig.model.requests).toHaveLength(0);
  });
});

describe('Exit code 52', () => {
  it("is used when the user's settings.json does not parse, with its path and place", async () => {
    const rig = await testRig({ settings: '{ "model": { "name": "x" \n oops' });
    const { exitCode, stdout, stderr } = await rig.cli('-p', 'x');
    expect({ exitCode, stdout }).toEqual({ exitCode: 52, stdout: '' });
    expect(stderr).toContain(`${rig.home}/.gemini/settings.json`);
    expect(stderr).toMatch(/line 2|2:/);
    expect(rig.model.requests).toHaveLength(0);
  });

  it('does not affect --version and --help', async () => {
    const rig = await testRig({ settings: '{' });
    expect((await rig.cli('--version')).exitCode).toBe(0);
    expect((await rig.cli('--help')).exitCode).toBe(0);
  });

  it('is not used for comments and unknown keys, which are a warning', async () => {
    const rig = await testRig({
      settings: '{ // mine\n "surely": {"unknown": 1}, "model": {"name": "gemini-2.5-pro",}, }',
    });
    rig.model.replies([text('ok')]);
    const run = await rig.cli('-p', 'x');
    expect(run.exitCode).toBe(0);
    expect(rig.model.lastRequest().model).toBe('gemini-2.5-pro');
  });
});

describe('Exit code 53', () => {
  it('is used when the session has no turns left', async () => {
    const rig = await testRig({ files: { 'a.txt': 'x' }, settings: { model: { maxSessionTurns: 2 } } });
    rig.model.replies([READ], [READ]);
    const run = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(run.exitCode).toBe(53);
    expect(rig.model.requests).toHaveLength(2);
    const events = run.events();
    expect(events.at(-2)).toMatchObject({ type: 'error', severity: 'error' });
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      status: 'error',
      error: { type: 'FatalTurnLimitedError' },
    });
  });

  it('is used without a request when the limit is 0 turns', async () => {
    const rig = await testRig({ settings: { model: { maxSessionTurns: 0 } } });
    expect((await rig.cli('-p', 'x')).exitCode).toBe(53);
    expect(rig.model.requests).toHaveLength(0);
  });

  it('is used when no tool calls are left', async () => {
    const rig = await testRig({ files: { 'a.txt': 'x' } });
    rig.model.replies([READ], [READ]).otherwise(() => [text('not reached')]);
    const run = await rig.cli('-p', 'x', '--max-tool-calls', '1', '-o', 'json');
    expect(run.exitCode).toBe(53);
    expect(run.json().error?.type).toBe('FatalBudgetError');
    expect(run.json().stats?.tools.totalSuccess).toBe(1);
  });

  it('is used before a call beyond the budget runs, even when one turn asks for several', async () => {
    const rig = await testRig();
    const write = (name: string) => callTool('write_file', { file_path: name, content: 'x' });
    rig.model.replies([write('1.txt'), write('2.txt'), write('3.txt')]);
    const run = await rig.cli('-p', 'x', '--max-tool-calls', '2', '--yolo', '-o', 'stream-json');
    expect(run.exitCode).toBe(53);
    expect(run.events().filter(({ type }) => type === 'tool_result')).toMatchObject([
      { status: 'success' },
      { status: 'success' },
      { status: 'error' },
    ]);
    expect(rig.exists('3.txt')).toBe(false);
  });

  it('is not used when the answer comes within the budget', async () => {
    const rig = await testRig({ files: { 'a.txt': 'x' } });
    rig.model.replies([READ], [text('done')]);
    expect((await rig.cli('-p', 'x', '--max-tool-calls', '1')).exitCode).toBe(0);
  });

  it('is used when no tokens are left', async () => {
    const rig = await testRig({ files: { 'a.txt': 'x' } });
    rig.model.replies([READ]);
    const run = await rig.cli('-p', 'x', '--max-tokens', '10', '-o', 'json');
    expect(run.exitCode).toBe(53);
    expect(run.json().error?.type).toBe('FatalBudgetError');
    expect(rig.model.requests).toHaveLength(1);
  });
});

describe('Exit code 55', () => {
  it('is used in an untrusted folder, naming both ways to trust it', async () => {
    const rig = await testRig();
    rig.writeHome('trustedFolders.json', JSON.stringify({ [rig.workspace]: 'DO_NOT_TRUST' }));
    const { exitCode, stdout, stderr } = await rig.cli('-p', 'x');
    expect({ exitCode, stdout }).toEqual({ exitCode: 55, stdout: '' });
    expect(stderr).toContain('--skip-trust');
    expect(stderr).toContain('GEMINI_CLI_TRUST_WORKSPACE=true');
    expect(rig.model.requests).toHaveLength(0);
  });

  it('is not used with --skip-trust or the variable', async () => {
    const rig = await testRig();
    rig.writeHome('trustedFolders.json', JSON.stringify({ [rig.workspace]: 'DO_NOT_TRUST' }));
    rig.model.repeat(2, [text('ok')]);
    expect((await rig.cli('-p', 'x', '--skip-trust')).stdout).toBe('ok\n');
    const trusted = await rig.cli('-p', 'x', { env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } });
    expect(trusted.stdout).toBe('ok\n');
  });

  it('comes before the settings of the folder are read', async () => {
    const rig = await testRig({ files: { '.gemini/settings.json': '{ broken' } });
    rig.writeHome('trustedFolders.json', JSON.stringify({ [rig.workspace]: 'DO_NOT_TRUST' }));
    expect((await rig.cli('-p', 'x')).exitCode).toBe(55);
  });
});

const VISIBLE_FLAGS = [
  'debug',
  'model',
  'prompt',
  'prompt-interactive',
  'skip-trust',
  'ignore-env',
  'worktree',
  'sandbox',
  'yolo',
  'approval-mode',
  'policy',
  'admin-policy',
  'acp',
  'experimental-acp',
  'allowed-mcp-server-names',
  'allowed-tools',
  'extensions',
  'list-extensions',
  'resume',
  'session-file',
  'session-id',
  'list-sessions',
  'delete-session',
  'include-directories',
  'screen-reader',
  'output-format',
  'raw-output',
  'accept-raw-output-risk',
  'max-cost',
  'max-tokens',
  'max-time',
  'max-tool-calls',
  'output-schema',
  'version',
  'help',
];
