import { getDefaultResultOrder, setDefaultResultOrder } from 'node:dns';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, FatalSandboxError, FatalUntrustedWorkspaceError } from '@gemini-cli/core';
import { noticesTo, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseCommandLine } from '../command-line/parse.js';
import { openRunFolder } from './run-folder.js';
import { startEngine } from './start-engine.js';

let directory: ReturnType<typeof tempDir>;

beforeEach(() => {
  directory = tempDir();
  vi.spyOn(process, 'cwd').mockReturnValue(directory.path);
  vi.stubEnv('GEMINI_CLI_HOME', directory.path);
  vi.stubEnv('GEMINI_CLI_TRUSTED_FOLDERS_PATH', join(directory.path, 'trusted.json'));
  judge('TRUST_FOLDER');
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  directory.cleanup();
});

interface EngineOptions {
  env?: NodeJS.ProcessEnv;
  interactive?: boolean;
  warnings?: string[];
}

async function engine(
  argv: string[],
  { env: more = {}, interactive = false, warnings = [] }: EngineOptions,
): Promise<Config> {
  const env: NodeJS.ProcessEnv = {
    GEMINI_CLI_HOME: directory.path,
    GEMINI_CLI_TRUSTED_FOLDERS_PATH: join(directory.path, 'trusted.json'),
    ...more,
  };
  const { flags } = parseCommandLine(['--model', 'offline', ...argv]).line;
  const warn = (message: string) => warnings.push(message);
  const folder = await openRunFolder({ flags, env, warn });
  const frontEnd = { interactive, ...noticesTo(warn) };
  return startEngine({ flags, folder, session: { sessionId: 's' }, frontEnd, warn });
}

async function start(argv: string[], env: NodeJS.ProcessEnv = {}) {
  const warnings: string[] = [];
  const config = await engine(argv, { env, warnings });
  await config.shutdown();
  return { directory: config.getTargetDir(), warnings };
}
function judge(level: string): void {
  writeFileSync(join(directory.path, 'trusted.json'), JSON.stringify({ [directory.path]: level }));
}

describe('startEngine in a folder', () => {
  it('starts if the folder is trusted, and not if the user has not decided yet', async () => {
    judge('TRUST_FOLDER');
    expect(await start([])).toEqual({ directory: directory.path, warnings: [] });
    writeFileSync(join(directory.path, 'trusted.json'), '{}');
    await expect(start([])).rejects.toThrow('not decided yet');
  });

  it('refuses a folder the user does not trust, and names both ways to allow it', async () => {
    judge('DO_NOT_TRUST');
    const refusal = start([]);
    await expect(refusal).rejects.toThrow(FatalUntrustedWorkspaceError);
    await expect(refusal).rejects.toThrow(/--skip-trust .*GEMINI_CLI_TRUST_WORKSPACE=true/);
    await expect(start([], { GEMINI_CLI_TRUST_WORKSPACE: 'false' })).rejects.toThrow(
      FatalUntrustedWorkspaceError,
    );
  });

  it('starts in an untrusted folder with --skip-trust', async () => {
    judge('DO_NOT_TRUST');
    await start(['--skip-trust']);
    await start([], { GEMINI_CLI_TRUST_WORKSPACE: 'true' });
    await start([], { GEMINI_CLI_INTEGRATION_TEST: 'true' });
  });
});

describe('a changed folder trust', () => {
  it('loads the settings of the folder at once, and unloads them again', async () => {
    judge('DO_NOT_TRUST');
    const workspace = join(directory.path, 'project');
    const extra = join(directory.path, 'extra');
    mkdirSync(join(workspace, '.gemini'), { recursive: true });
    mkdirSync(extra);
    writeFileSync(
      join(workspace, '.gemini/settings.json'),
      JSON.stringify({
        tools: { exclude: ['glob'], core: ['glob', 'read_file'], shell: { pager: 'less' } },
        context: { includeDirectories: [extra] },
      }),
    );
    vi.spyOn(process, 'cwd').mockReturnValue(workspace);
    const config = await engine([], { interactive: true });
    const state = () => ({
      tools: config
        .getToolRegistry()
        .getFunctionDeclarations()
        .map(({ name }) => name),
      directories: config.getWorkspaceContext().getDirectories(),
      pager: config.getShellSettings().pager,
    });
    const before = state();
    expect(before).toMatchObject({ directories: [workspace], pager: 'cat' });
    expect(before.tools).toContain('glob');
    config.setTrusted(true);
    expect(state()).toEqual({ tools: ['read_file'], directories: [workspace, extra], pager: 'less' });
    config.setTrusted(false);
    expect(state()).toEqual(before);
    await config.shutdown();
  });
});

describe('startEngine with a sandbox', () => {
  it.each([
    [['--sandbox'], {}],
    [['-s'], { GEMINI_SANDBOX: '' }],
    [[], { GEMINI_SANDBOX: 'docker' }],
    [[], { GEMINI_SANDBOX: 'true' }],
  ])('never starts without the requested one: %j %j', async (argv, env) => {
    await expect(start(argv, env)).rejects.toThrow(FatalSandboxError);
  });

  it.each([
    [['-s'], { GEMINI_SANDBOX: 'false' }],
    [['-s'], { GEMINI_SANDBOX: '0' }],
    [['-s'], { SANDBOX: 'docker' }],
    [['--no-sandbox'], {}],
  ])('starts without a request and inside a sandbox: %j %j', async (argv, env) => {
    expect((await start(argv, env)).directory).toBe(directory.path);
  });
});

describe('startEngine', () => {
  it('warns about the deprecated flag --allowed-tools', async () => {
    expect((await start(['--allowed-tools', 'read_file'])).warnings).toEqual([
      '--allowed-tools is deprecated; the setting tools.allowed does the same.',
    ]);
  });

  it('names an include directory that does not exist', async () => {
    mkdirSync(join(directory.path, 'there'));
    await start(['--include-directories', 'there']);
    await expect(start(['--include-directories', 'gone'])).rejects.toThrow(join(directory.path, 'gone'));
  });
});

describe('advanced.dnsResolutionOrder', () => {
  const before = getDefaultResultOrder();
  afterEach(() => setDefaultResultOrder(before));

  it.each([
    [{}, 'ipv4first'],
    [{ advanced: { dnsResolutionOrder: 'verbatim' } }, 'verbatim'],
  ])('with the settings %j resolves addresses as %s', async (settings, expected) => {
    mkdirSync(join(directory.path, '.gemini'), { recursive: true });
    writeFileSync(join(directory.path, '.gemini/settings.json'), JSON.stringify(settings));
    await start([]);
    expect(getDefaultResultOrder()).toBe(expected);
  });
});
