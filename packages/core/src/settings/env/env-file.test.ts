import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EnvFileRequest, loadEnvFile } from './env-file.js';

let root: ReturnType<typeof tempDir>;
const at = (...parts: string[]) => join(root.path, ...parts);

beforeEach(() => {
  root = tempDir();
  vi.stubEnv('HOME', at('home'));
  mkdirSync(at('home/.gemini'), { recursive: true });
  mkdirSync(at('home/repo/.git'), { recursive: true });
  mkdirSync(at('home/repo/sub/deep'), { recursive: true });
});

afterEach(() => {
  vi.unstubAllEnvs();
  root.cleanup();
});

function put(path: string, content: string | Uint8Array = `FROM=${path}`): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
  return at(path);
}

function load(cwd: string, request: Partial<EnvFileRequest> = {}) {
  return loadEnvFile({
    cwd: at(cwd),
    trusted: true,
    env: { GEMINI_CLI_HOME: at('home') },
    excluded: ['DEBUG', 'DEBUG_MODE'],
    ignoreLocal: false,
    ...request,
  });
}

describe('the search for a .env file', () => {
  it('takes the first file found, from the working directory upwards, .gemini first', () => {
    const order = [
      'home/repo/sub/.gemini/.env',
      'home/repo/sub/.env',
      'home/repo/.gemini/.env',
      'home/repo/.env',
      'home/.gemini/.env',
      'home/.env',
    ];
    for (const path of [...order].reverse()) {
      put(path);
      const { path: found, variables } = load('home/repo/sub');
      expect({ found, variables }).toEqual({ found: at(path), variables: { FROM: path } });
    }
  });

  it('finds nothing when there is no file', () => {
    expect(load('home/repo')).toEqual({
      variables: {},
      fromProject: [],
      refused: [],
      skipped: [],
      problems: [],
    });
  });

  it('ends at the directory with .git, then looks in the home directory', () => {
    put('home/outer/.env');
    mkdirSync(at('home/outer/repo/.git'), { recursive: true });
    expect(load('home/outer/repo').path).toBeUndefined();
    expect(load('home/outer').path).toBe(at('home/outer/.env'));
    // Of a worktree or submodule, .git is a file.
    put('home/outer/work/.git', 'gitdir: elsewhere');
    expect(load('home/outer/work').path).toBeUndefined();
    put('home/.env');
    expect(load('home/outer/repo').path).toBe(at('home/.env'));
  });

  it('does not go above the home directory', () => {
    put('.env');
    expect(load('home').path).toBeUndefined();
    expect(load('home/other').path).toBeUndefined();
    expect(load('elsewhere').path).toBe(at('.env'));
  });

  it("ends at the system's home directory when GEMINI_CLI_HOME differs", () => {
    put('.env');
    const env = { GEMINI_CLI_HOME: at('own'), HOME: at('home') };
    expect(load('home/project', { env }).path).toBeUndefined();
    put('own/.gemini/.env');
    expect(load('home/project', { env }).path).toBe(at('own/.gemini/.env'));
    put('home/.env');
    expect(load('home/project', { env }).path).toBe(at('home/.env'));
  });

  it('recognises the home directory behind a link', () => {
    symlinkSync(at('home'), at('link'));
    put('home/.gemini/.env', 'DEBUG=1');
    const result = load('home/project', { env: { GEMINI_CLI_HOME: at('link') }, trusted: false });
    expect(result).toMatchObject({ path: at('link/.gemini/.env'), variables: { DEBUG: '1' }, skipped: [] });
  });

  it('silently skips a directory of that name', () => {
    mkdirSync(at('home/repo/.env'));
    put('home/.env');
    expect(load('home/repo')).toMatchObject({ path: at('home/.env'), skipped: [] });
  });

  it('ignores a dangling link and a cycle of links', () => {
    symlinkSync(at('none'), at('home/repo/.env'));
    mkdirSync(at('home/repo/.gemini'));
    symlinkSync('.env', at('home/repo/.gemini/.env'));
    expect(load('home/repo')).toMatchObject({ variables: {}, skipped: [] });
  });

  it('reports lines without meaning', () => {
    const path = put('home/repo/.env', 'A=1\nwords\n');
    expect(load('home/repo')).toMatchObject({
      variables: { A: '1' },
      problems: [
        { severity: 'warning', file: path, line: 2, message: expect.stringContaining('NAME=value') },
      ],
    });
  });
});

describe('the variables of a .env file', () => {
  it('never replace a variable that is set, not even an empty one', () => {
    put('home/repo/.env', 'A=new\nB=new\nC=new');
    const env = { GEMINI_CLI_HOME: at('home'), A: 'old', B: '', C: undefined };
    expect(load('home/repo', { env }).variables).toEqual({ C: 'new' });
  });

  const TEXT = 'DEBUG=1\nMINE=2\nGEMINI_CLI_IDE_SERVER_STDIO_COMMAND=x\nGEMINI_CLI_IDE_SERVER_STDIO_ARGS=[]';
  const ALL = {
    DEBUG: '1',
    MINE: '2',
    GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: 'x',
    GEMINI_CLI_IDE_SERVER_STDIO_ARGS: '[]',
  };

  it.each([
    ['home/repo/.env', { MINE: '2' }],
    ['home/repo/.gemini/.env', ALL],
    ['home/.gemini/.env', ALL],
    ['home/.env', ALL],
  ])('exclude names only in a generic project file: %s', (path, expected) => {
    put(path, TEXT);
    expect(load('home/repo').variables).toEqual(expected);
  });

  it('depend on the directory name, not on the text of the path', () => {
    mkdirSync(at('home/.gemini-repos/x.gemini/.git'), { recursive: true });
    put('home/.gemini-repos/x.gemini/.env', TEXT);
    expect(load('home/.gemini-repos/x.gemini').variables).toEqual({ MINE: '2' });
  });

  it('are all but the IDE command without exclusions', () => {
    put('home/repo/.env', TEXT);
    expect(load('home/repo', { excluded: [] }).variables).toEqual({ DEBUG: '1', MINE: '2' });
  });

  const PLANTED = [
    'NODE_OPTIONS',
    'GEMINI_CLI_HOME',
    'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
    'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
    'GEMINI_CLI_TRUST_WORKSPACE',
    'GEMINI_CLI_TRUSTED_FOLDERS_PATH',
    'GEMINI_CLI_INTEGRATION_TEST',
    'GEMINI_CLI_HOOK_CHAIN',
    'PATH',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
    'Node_Options',
    'SANDBOX',
    'SANDBOX_MOUNTS',
    'GEMINI_SANDBOX',
    'GEMINI_SANDBOX_PROXY_COMMAND',
    'BUILD_SANDBOX',
    'SEATBELT_PROFILE',
    'TMPDIR',
    'TMP',
    'TEMP',
  ];

  it.each(['home/repo/.env', 'home/repo/.gemini/.env'])(
    'never include dangerous ones from a trusted %s',
    (path) => {
      put(path, [...PLANTED, 'FINE'].map((name) => `${name}=x`).join('\n'));
      const { variables, refused } = load('home/repo', { env: {} });
      expect({ variables, refused }).toEqual({ variables: { FINE: 'x' }, refused: PLANTED });
    },
  );

  it("include dangerous ones from the user's own file", () => {
    put('home/.gemini/.env', PLANTED.map((name) => `${name}=x`).join('\n'));
    const { variables, refused } = load('home/repo');
    expect(Object.keys(variables)).toEqual(PLANTED.filter((name) => name !== 'GEMINI_CLI_HOME'));
    expect(refused).toEqual([]);
  });

  it('do not come from generic project files with ignoreLocal, except in the home directory', () => {
    put('home/repo/.env');
    put('home/.env');
    expect(load('home/repo', { ignoreLocal: true }).path).toBe(at('home/.env'));
    put('home/repo/.gemini/.env');
    expect(load('home/repo', { ignoreLocal: true }).path).toBe(at('home/repo/.gemini/.env'));
  });
});

describe('an untrusted folder', () => {
  it("has every project file skipped and reported, while the user's own is loaded", () => {
    const project = [put('home/repo/.gemini/.env'), put('home/repo/.env')];
    const own = put('home/.gemini/.env');
    expect(load('home/repo', { trusted: false })).toEqual({
      path: own,
      variables: { FROM: 'home/.gemini/.env' },
      fromProject: [],
      refused: [],
      problems: [],
      skipped: project.map((path) => ({ path, kind: 'untrusted', reason: 'the folder is not trusted' })),
    });
  });

  it('sets none of the four variables that other tools accept', () => {
    put(
      'home/repo/.env',
      'GEMINI_API_KEY=a\nGOOGLE_API_KEY=b\nGOOGLE_CLOUD_PROJECT=c\nGOOGLE_CLOUD_LOCATION=d',
    );
    expect(load('home/repo', { trusted: false }).variables).toEqual({});
  });

  it("may be the user's own .gemini, whose file is loaded", () => {
    const own = put('home/.gemini/.env', 'DEBUG=1\nNODE_OPTIONS=--x');
    expect(load('home/.gemini', { trusted: false })).toMatchObject({
      path: own,
      variables: { DEBUG: '1', NODE_OPTIONS: '--x' },
      skipped: [],
    });
  });

  it('is skipped when it is a parent of a trusted one', () => {
    const above = put('home/work/.env');
    mkdirSync(at('home/work/project'));
    const isUntrusted = (directory: string) => directory === at('home/work');
    expect(load('home/work/project', { isUntrusted })).toMatchObject({
      variables: {},
      skipped: [{ path: above, kind: 'untrusted' }],
    });
  });

  it.runIf(process.getuid?.() === 0)(
    'is assumed for the file of another user in a world-writable folder',
    () => {
      mkdirSync(at('tmp/project'), { recursive: true });
      const planted = put('tmp/.env');
      expect(load('tmp/project').path).toBe(planted);
      chmodSync(at('tmp'), 0o1777);
      expect(load('tmp/project').path).toBe(planted);
      chownSync(planted, 4711, 4711);
      expect(load('tmp/project')).toMatchObject({
        variables: {},
        skipped: [{ path: planted, kind: 'untrusted', reason: 'it belongs to another user' }],
      });
      // In the trusted folder itself it is what the user trusted.
      expect(load('tmp').path).toBe(planted);
    },
  );
});

describe('Cloud Shell', () => {
  const shell = (extra: Partial<EnvFileRequest> = {}) =>
    load('home/repo', {
      env: { GEMINI_CLI_HOME: at('home'), CLOUD_SHELL: 'true', GOOGLE_CLOUD_PROJECT: 'shells' },
      ...extra,
    }).variables;

  it('gets its default project, unless the file names one', () => {
    expect(shell()).toEqual({ GOOGLE_CLOUD_PROJECT: 'cloudshell-gca' });
    put('home/repo/.env', 'GOOGLE_CLOUD_PROJECT=mine');
    expect(shell()).toEqual({ GOOGLE_CLOUD_PROJECT: 'mine' });
    expect(shell({ trusted: false })).toEqual({ GOOGLE_CLOUD_PROJECT: 'cloudshell-gca' });
  });

  it("keeps the user's project with Vertex", () => {
    put('home/repo/.env', 'GOOGLE_CLOUD_PROJECT=mine');
    expect(shell({ authType: 'vertex-ai' })).toEqual({});
  });
});
