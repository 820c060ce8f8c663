/** Folder trust as the user sees it: who decides, what an undecided folder may do, and what never takes effect. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  HOSTILE_TEXT,
  hostileFolder,
  markers,
  type RigOptions,
  runTool,
  STRANGERS_KEY,
  type TestRig,
  testRig,
  text,
} from './test-utils.js';

type Rules = Record<string, string>;

/** A workspace that only `rules` decide about; keys are relative to its parent. */
async function judged(rules: Rules | undefined, options: RigOptions = {}): Promise<TestRig> {
  const rig = await testRig({ trust: false, ...options });
  if (rules) {
    const entries = Object.entries(rules).map(([name, level]) => [join(rig.workspace, '..', name), level]);
    rig.writeHome('trustedFolders.json', JSON.stringify(Object.fromEntries(entries)));
  }
  return rig;
}

async function expectRefused(rig: TestRig, args: string[] = [], env: Record<string, string> = {}) {
  const run = await rig.cli('-p', 'x', ...args, { env });
  expect({ exitCode: run.exitCode, stdout: run.stdout }, run.stderr).toEqual({ exitCode: 55, stdout: '' });
  expect(run.stderr).toContain(rig.workspace);
  expect(run.stderr).toContain('--skip-trust');
  expect(run.stderr).toContain('GEMINI_CLI_TRUST_WORKSPACE=true');
  expect(rig.model.requests).toHaveLength(0);
  return run;
}

async function expectRuns(rig: TestRig, args: string[] = [], env: Record<string, string> = {}) {
  rig.model.replies([text('ok')]);
  const run = await rig.cli('-p', 'x', ...args, { env });
  expect({ exitCode: run.exitCode, stdout: run.stdout }, run.stderr).toEqual({ exitCode: 0, stdout: 'ok\n' });
  return run;
}

describe('A folder', () => {
  it.each<[string, Rules | undefined]>([
    ['not decided', undefined],
    ['refused', { workspace: 'DO_NOT_TRUST' }],
    ['below a refused one', { '.': 'DO_NOT_TRUST' }],
    ['refused below a trusted one', { '.': 'TRUST_FOLDER', workspace: 'DO_NOT_TRUST' }],
    ['beside a trusted one', { work: 'TRUST_FOLDER' }],
    ['trusted only in part', { 'workspace/sub': 'TRUST_FOLDER' }],
  ])('that is %s ends a headless run with 55, naming both ways to trust it', async (_what, rules) => {
    await expectRefused(await judged(rules));
  });

  it.each<[string, Rules]>([
    ['trusted', { workspace: 'TRUST_FOLDER' }],
    ['below a trusted one', { '.': 'TRUST_FOLDER' }],
    ['trusted through its parent', { workspace: 'TRUST_PARENT' }],
    ["trusted through its neighbour's parent", { other: 'TRUST_PARENT' }],
    ['trusted below a refused one', { '.': 'DO_NOT_TRUST', workspace: 'TRUST_FOLDER' }],
  ])('that is %s runs', async (_what, rules) => {
    await expectRuns(await judged(rules));
  });

  it('is identified by its real path', async () => {
    const rig = await judged({ link: 'TRUST_FOLDER' });
    symlinkSync(rig.workspace, join(rig.workspace, '../link'));
    await expectRuns(rig);
  });

  it('that is not trusted is reported in the requested output format', async () => {
    const rig = await judged(undefined);
    const json = await rig.cli('-p', 'x', '-o', 'json');
    expect([json.exitCode, json.json().error?.type]).toEqual([55, 'FatalUntrustedWorkspaceError']);
    const stream = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(stream.exitCode).toBe(55);
    expect(stream.events().at(-1)).toMatchObject({
      type: 'result',
      status: 'error',
      error: { type: 'FatalUntrustedWorkspaceError' },
    });
  });

  it('is checked before its model or its settings: also offline, and with broken settings', async () => {
    await expectRefused(await judged(undefined), ['-m', 'offline']);
    await expectRefused(await judged(undefined, { files: { '.gemini/settings.json': '{ broken' } }));
  });

  it('does not keep --version and --help from answering', async () => {
    const rig = await judged(undefined);
    expect((await rig.cli('--version')).exitCode).toBe(0);
    expect((await rig.cli('--help')).exitCode).toBe(0);
  });
});

describe('For one run', () => {
  const refused = { workspace: 'DO_NOT_TRUST' };

  it('--skip-trust and GEMINI_CLI_TRUST_WORKSPACE=true decide, and nothing is saved', async () => {
    const rig = await judged(refused);
    const before = readFileSync(join(rig.home, '.gemini/trustedFolders.json'), 'utf8');
    await expectRuns(rig, ['--skip-trust']);
    await expectRuns(rig, [], { GEMINI_CLI_TRUST_WORKSPACE: 'true' });
    expect(readFileSync(join(rig.home, '.gemini/trustedFolders.json'), 'utf8')).toBe(before);
  });

  it('GEMINI_CLI_TRUST_WORKSPACE=false removes trust', async () => {
    const rig = await judged({ workspace: 'TRUST_FOLDER' }, { settings: FEATURE_OFF });
    await expectRefused(rig, [], { GEMINI_CLI_TRUST_WORKSPACE: 'false' });
    await expectRuns(rig, ['--skip-trust'], { GEMINI_CLI_TRUST_WORKSPACE: 'false' });
  });
});

const FEATURE_OFF = { security: { folderTrust: { enabled: false } } };

describe('Folder trust', () => {
  it('can be disabled by the user', async () => {
    await expectRuns(await judged(undefined, { settings: FEATURE_OFF }));
    await expectRuns(await judged({ workspace: 'DO_NOT_TRUST' }, { settings: FEATURE_OFF }));
  });

  it('can be disabled or enforced by the system settings', async () => {
    const rig = await judged(undefined, { settings: FEATURE_OFF });
    const system = rig.writeHome(
      'system.json',
      JSON.stringify({ security: { folderTrust: { enabled: true } } }),
    );
    await expectRefused(rig, [], { GEMINI_CLI_SYSTEM_SETTINGS_PATH: system });
    const other = await judged(undefined);
    const off = other.writeHome('system.json', JSON.stringify(FEATURE_OFF));
    await expectRuns(other, [], { GEMINI_CLI_SYSTEM_SETTINGS_PATH: off });
  });

  it.each<[string, Record<string, string>]>([
    ['settings', { '.gemini/settings.json': JSON.stringify(FEATURE_OFF) }],
    ['old settings', { '.gemini/settings.json': JSON.stringify({ folderTrust: false }) }],
    ['list of trusted folders', { '.gemini/settings.json': JSON.stringify({ trustedFolders: ['/'] }) }],
    ['.env', { '.env': 'GEMINI_CLI_TRUST_WORKSPACE=true\n' }],
    [
      '.gemini/.env',
      { '.gemini/.env': 'GEMINI_CLI_TRUST_WORKSPACE=true\nGEMINI_CLI_INTEGRATION_TEST=true\n' },
    ],
    [
      '.env that names another home',
      { '.env': 'GEMINI_CLI_TRUSTED_FOLDERS_PATH=.gemini/trustedFolders.json\n' },
    ],
  ])('cannot be disabled by the %s of the folder itself', async (_what, files) => {
    await expectRefused(await judged(undefined, { files }));
  });

  it("includes the folders in the user's settings", async () => {
    const rig = await judged(undefined);
    rig.writeHome('settings.json', JSON.stringify({ trustedFolders: [rig.workspace] }));
    await expectRuns(rig);
    rig.writeHome('trustedFolders.json', JSON.stringify({ [rig.workspace]: 'DO_NOT_TRUST' }));
    const run = await rig.cli('-p', 'x');
    expect(run.exitCode).toBe(55);
  });
});

describe('a mistake in trustedFolders.json', () => {
  it.each([
    ['an unknown level', '{\n  "/srv": "MAYBE"\n}', 'line 2'],
    ['broken JSON', '{\n "/srv" }', 'line 2'],
    ['no object', '[]', 'object'],
  ])(
    '%s ends the program with 52, naming file and levels; it stays as it is',
    async (_what, content, place) => {
      const rig = await judged(undefined);
      const path = rig.writeHome('trustedFolders.json', content);
      const { exitCode, stdout, stderr } = await rig.cli('-p', 'x');
      expect({ exitCode, stdout }).toEqual({ exitCode: 52, stdout: '' });
      for (const word of [path, place, 'TRUST_FOLDER', 'TRUST_PARENT', 'DO_NOT_TRUST']) {
        expect(stderr).toContain(word);
      }
      expect(readFileSync(path, 'utf8')).toBe(content);
      expect(rig.model.requests).toHaveLength(0);
    },
  );

  it('is not a comment or a trailing comma', async () => {
    const rig = await judged(undefined);
    rig.writeHome('trustedFolders.json', `// mine\n{ "${rig.workspace}": "TRUST_FOLDER", /* ok */ }\n`);
    await expectRuns(rig);
  });
});

describe('.env', () => {
  const NO_KEY = { env: { GEMINI_API_KEY: undefined } };
  const keySent = (rig: TestRig) => rig.model.lastRequest().headers['x-goog-api-key'];

  it('of a trusted folder is read', async () => {
    const rig = await testRig({ ...NO_KEY, files: { '.env': 'GEMINI_API_KEY=from-project\n' } });
    await expectRuns(rig);
    expect(keySent(rig)).toBe('from-project');
  });

  it('never replaces a variable that is set', async () => {
    const rig = await testRig({ files: { '.env': `GEMINI_API_KEY=${STRANGERS_KEY}\n` } });
    await expectRuns(rig);
    expect(keySent(rig)).toBe('test');
  });

  it("of the user is read when the project has none, and with --ignore-env instead of the project's", async () => {
    const rig = await testRig(NO_KEY);
    rig.writeHome('.env', 'GEMINI_API_KEY=from-user\n');
    await expectRuns(rig);
    expect(keySent(rig)).toBe('from-user');
    rig.write('.env', 'GEMINI_API_KEY=from-project\n');
    await expectRuns(rig, ['--ignore-env']);
    expect(keySent(rig)).toBe('from-user');
  });

  it.each(['.env', '.gemini/.env'])(
    '%s of a trusted folder cannot plant what others load or trust',
    async (path) => {
      const rig = await testRig();
      const planted = [
        'NODE_OPTIONS',
        'BASH_ENV',
        'LD_PRELOAD',
        'GEMINI_CLI_HOME',
        'GEMINI_CLI_TRUST_WORKSPACE',
      ];
      rig.write(path, `${planted.map((name) => `${name}=${rig.path('planted')}`).join('\n')}\nFINE=yes\n`);
      const { answer } = await runTool(rig, 'run_shell_command', { command: 'env' });
      expect(answer.output).toContain('FINE=yes');
      expect(answer.output).not.toContain(rig.path('planted'));
    },
  );
});

describe('a hostile folder that is not trusted', () => {
  it.each([
    ['plain', ['-p', 'x']],
    ['linked', ['-p', 'x']],
    ['plain', ['-p', 'x', '--yolo', '-o', 'json']],
    ['plain', ['-p', '/help', '-m', 'offline']],
    ['plain', ['doctor']],
    ['plain', ['doctor', '--json']],
    ['linked', ['doctor']],
    ['plain', ['--list-extensions']],
    ['plain', ['--version']],
  ] as const)('changes nothing (%s): %j', async (layout, args) => {
    const rig = await testRig({ trust: false });
    const stranger = await listen();
    hostileFolder(rig.workspace, { strangerUrl: stranger.url, layout });
    const run = await rig.cli(...args);
    if (args[0] === '-p') expect(run.exitCode, run.stderr).toBe(55);
    expect(markers(rig.workspace)).toEqual([]);
    expect(stranger.connections()).toBe(0);
    // `doctor` asks the user's own model, with the user's own key; nothing else asks at all.
    const keys = rig.model.requests.map(({ headers }) => headers['x-goog-api-key']);
    expect(keys).toEqual(args[0] === 'doctor' ? ['test'] : []);
    for (const secret of [HOSTILE_TEXT, STRANGERS_KEY]) expect(run.stdout + run.stderr).not.toContain(secret);
  });

  it('that is above a trusted folder adds nothing to it but files the user asks for', async () => {
    const rig = await testRig({ trust: false });
    const stranger = await listen();
    hostileFolder(rig.workspace, { strangerUrl: stranger.url });
    const inner = join(rig.workspace, 'inner');
    mkdirSync(join(inner, '.git'), { recursive: true });
    writeFileSync(
      join(rig.home, '.gemini/trustedFolders.json'),
      JSON.stringify({ [rig.workspace]: 'DO_NOT_TRUST', [inner]: 'TRUST_FOLDER' }),
    );
    rig.model.replies([text('ok')]);
    const run = await rig.cli('-p', 'x', { cwd: inner });
    expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: 'ok\n' });
    expect(rig.model.lastRequest().headers['x-goog-api-key']).toBe('test');
    expect(JSON.stringify(rig.model.lastRequest().body)).not.toContain(HOSTILE_TEXT);
    expect(markers(rig.workspace)).toEqual([]);
    expect(stranger.connections()).toBe(0);
  });
});

/** A server that must not be contacted: counts connections, whatever they carry. */
async function listen(): Promise<{ url: string; connections: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, connections: () => count };
}
