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

describe('the search', () => {
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

  it('finds nothing where nothing is', () => {
    expect(load('home/repo')).toEqual({ variables: {}, refused: [], skipped: [], problems: [] });
  });

  it('ends at the directory that holds .git, then looks into the home', () => {
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

  it('does not climb above the home', () => {
    put('.env');
    expect(load('home').path).toBeUndefined();
    expect(load('home/other').path).toBeUndefined();
    expect(load('elsewhere').path).toBe(at('.env'));
  });

  it("ends at the system's home when GEMINI_CLI_HOME is another", () => {
    put('.env');
    const env = { GEMINI_CLI_HOME: at('own'), HOME: at('home') };
    expect(load('home/project', { env }).path).toBeUndefined();
    put('own/.gemini/.env');
    expect(load('home/project', { env }).path).toBe(at('own/.gemini/.env'));
    put('home/.env');
    expect(load('home/project', { env }).path).toBe(at('home/.env'));
  });

  it('knows the home behind a link', () => {
    symlinkSync(at('home'), at('link'));
    put('home/.gemini/.env', 'DEBUG=1');
    const result = load('home/project', { env: { GEMINI_CLI_HOME: at('link') }, trusted: false });
    expect(result).toMatchObject({ path: at('link/.gemini/.env'), variables: { DEBUG: '1' }, skipped: [] });
  });

  it('passes over a directory of that name silently', () => {
    mkdirSync(at('home/repo/.env'));
    put('home/.env');
    expect(load('home/repo')).toMatchObject({ path: at('home/.env'), skipped: [] });
  });

  it('a link that leads to nothing, or in a ring, is no file', () => {
    symlinkSync(at('none'), at('home/repo/.env'));
    mkdirSync(at('home/repo/.gemini'));
    symlinkSync('.env', at('home/repo/.gemini/.env'));
    expect(load('home/repo')).toMatchObject({ variables: {}, skipped: [] });
  });

  it('names lines that say nothing', () => {
    const path = put('home/repo/.env', 'A=1\nwords\n');
    expect(load('home/repo')).toMatchObject({
      variables: { A: '1' },
      problems: [
        { severity: 'warning', file: path, line: 2, message: expect.stringContaining('NAME=value') },
      ],
    });
  });
});

describe('the variables', () => {
  it('never replace one that is set, not even an empty one', () => {
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
  ])('excluded names are left out of a generic project file only: %s', (path, expected) => {
    put(path, TEXT);
    expect(load('home/repo').variables).toEqual(expected);
  });

  it('the name of the directory counts, not the text of the path', () => {
    mkdirSync(at('home/.gemini-repos/x.gemini/.git'), { recursive: true });
    put('home/.gemini-repos/x.gemini/.env', TEXT);
    expect(load('home/.gemini-repos/x.gemini').variables).toEqual({ MINE: '2' });
  });

  it('without exclusions all but the IDE command come', () => {
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
    'PATH',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
    'Node_Options',
  ];

  it.each(['home/repo/.env', 'home/repo/.gemini/.env'])('a trusted %s still may not plant these', (path) => {
    put(path, [...PLANTED, 'FINE'].map((name) => `${name}=x`).join('\n'));
    const { variables, refused } = load('home/repo', { env: {} });
    expect({ variables, refused }).toEqual({ variables: { FINE: 'x' }, refused: PLANTED });
  });

  it("the user's own file may", () => {
    put('home/.gemini/.env', PLANTED.map((name) => `${name}=x`).join('\n'));
    const { variables, refused } = load('home/repo');
    expect(Object.keys(variables)).toEqual(PLANTED.filter((name) => name !== 'GEMINI_CLI_HOME'));
    expect(refused).toEqual([]);
  });

  it('ignoreLocal skips generic project files, except in the home', () => {
    put('home/repo/.env');
    put('home/.env');
    expect(load('home/repo', { ignoreLocal: true }).path).toBe(at('home/.env'));
    put('home/repo/.gemini/.env');
    expect(load('home/repo', { ignoreLocal: true }).path).toBe(at('home/repo/.gemini/.env'));
  });
});

describe('an untrusted folder', () => {
  it("passes over every project file, naming it; the user's own loads", () => {
    const project = [put('home/repo/.gemini/.env'), put('home/repo/.env')];
    const own = put('home/.gemini/.env');
    expect(load('home/repo', { trusted: false })).toEqual({
      path: own,
      variables: { FROM: 'home/.gemini/.env' },
      refused: [],
      problems: [],
      skipped: project.map((path) => ({ path, kind: 'untrusted', reason: 'the folder is not trusted' })),
    });
  });

  it('not even the four variables that others take', () => {
    put(
      'home/repo/.env',
      'GEMINI_API_KEY=a\nGOOGLE_API_KEY=b\nGOOGLE_CLOUD_PROJECT=c\nGOOGLE_CLOUD_LOCATION=d',
    );
    expect(load('home/repo', { trusted: false }).variables).toEqual({});
  });

  it("the working directory may be the user's own .gemini", () => {
    const own = put('home/.gemini/.env', 'DEBUG=1\nNODE_OPTIONS=--x');
    expect(load('home/.gemini', { trusted: false })).toMatchObject({
      path: own,
      variables: { DEBUG: '1', NODE_OPTIONS: '--x' },
      skipped: [],
    });
  });

  it('above a trusted one is passed over', () => {
    const above = put('home/work/.env');
    mkdirSync(at('home/work/project'));
    const isUntrusted = (directory: string) => directory === at('home/work');
    expect(load('home/work/project', { isUntrusted })).toMatchObject({
      variables: {},
      skipped: [{ path: above, kind: 'untrusted' }],
    });
  });

  it.runIf(process.getuid?.() === 0)('so is the file of another user in a place open to all', () => {
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
  });
});

describe('Cloud Shell', () => {
  const shell = (extra: Partial<EnvFileRequest> = {}) =>
    load('home/repo', {
      env: { GEMINI_CLI_HOME: at('home'), CLOUD_SHELL: 'true', GOOGLE_CLOUD_PROJECT: 'shells' },
      ...extra,
    }).variables;

  it('gets a project of its own, unless the file names one', () => {
    expect(shell()).toEqual({ GOOGLE_CLOUD_PROJECT: 'cloudshell-gca' });
    put('home/repo/.env', 'GOOGLE_CLOUD_PROJECT=mine');
    expect(shell()).toEqual({ GOOGLE_CLOUD_PROJECT: 'mine' });
    expect(shell({ trusted: false })).toEqual({ GOOGLE_CLOUD_PROJECT: 'cloudshell-gca' });
  });

  it("keeps the user's with Vertex", () => {
    put('home/repo/.env', 'GOOGLE_CLOUD_PROJECT=mine');
    expect(shell({ authType: 'vertex-ai' })).toEqual({});
  });
});
