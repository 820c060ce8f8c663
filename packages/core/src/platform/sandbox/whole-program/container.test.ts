import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellWords } from '../../../base/shell-words.js';
import { containerName, imageName, proxyArguments, runArguments } from './container.js';
import { containerVariables, splitForEnvFile } from './container-env.js';
import type { SandboxConfig } from './select.js';
import type { WholeProcessSources } from './whole-process.js';

let base: string;
let cwd: string;
let home: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'container-')));
  cwd = join(base, 'my project');
  home = join(base, 'home');
  for (const path of [cwd, home, join(base, 'tmp')]) mkdirSync(path);
});
afterEach(() => rmSync(base, { recursive: true }));

const docker: SandboxConfig = { command: 'docker', allowedPaths: [], networkAccess: true };
const sources = (rest: Partial<WholeProcessSources> = {}): WholeProcessSources => ({
  env: {},
  cwd,
  home,
  temporaryDirectory: join(base, 'tmp'),
  args: ['-p', "it's me"],
  self: [],
  isTerminal: false,
  platform: 'linux',
  uid: 0,
  gid: 0,
  allowedPaths: [],
  includeDirectories: [],
  projectDirectories: [],
  keyVariables: [],
  notify: () => {},
  ...rest,
});
const names = { image: 'img:1', name: 'img-1-0', envFile: '/e', inherited: [] };
const withFile = (path: string, text = '') => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
};

const LIMITS = [
  ...['--memory', '4g'],
  ...['--cpus', String(Math.min(4, availableParallelism()))],
  ...['--pids-limit', '2048'],
];

describe('the arguments of docker', () => {
  it('are complete for a plain run', () => {
    expect(runArguments(docker, sources(), names)).toEqual([
      'run',
      '-i',
      '--rm',
      '--init',
      '--workdir',
      cwd,
      '--entrypoint',
      '',
      '--add-host',
      'host.docker.internal:host-gateway',
      '--name',
      'img-1-0',
      '--hostname',
      'img-1-0',
      '--volume',
      `${cwd}:${cwd}`,
      '--volume',
      `${base}/tmp:${base}/tmp`,
      '--env-file',
      '/e',
      ...LIMITS,
      'img:1',
      'bash',
      '-c',
      "exec gemini -p 'it'\\''s me'",
    ]);
  });

  it('are complete with every option', () => {
    const settings = withFile(join(home, '.gemini/settings.json'));
    const gcloud = withFile(join(home, '.config/gcloud/x'));
    const credentials = withFile(join(base, 'adc.json'));
    const extra = withFile(join(base, 'extra'));
    const rc = withFile(join(cwd, '.gemini/sandbox.bashrc'));
    const env = {
      GOOGLE_APPLICATION_CREDENTIALS: credentials,
      VIRTUAL_ENV: join(cwd, 'venv'),
      SANDBOX_MOUNTS: `${extra}, ${extra}:/to , ${extra}:/rw:rw`,
      SANDBOX_PORTS: '8080, 3000',
      DEBUG: '1',
      SANDBOX_FLAGS: `--cap-drop=ALL --label "a b"`,
      GEMINI_SANDBOX_PROXY_COMMAND: 'proxy',
    };
    const config: SandboxConfig = { command: 'runsc', allowedPaths: [extra], networkAccess: true };
    const rest = { env, isTerminal: true, uid: 1001, gid: 1002, allowedPaths: [base], args: ['hi'] };
    const program = `export PATH='${cwd}/venv/bin':"$PATH"; . '${rc}'; exec gemini hi`;
    expect(runArguments(config, sources(rest), { ...names, inherited: ['MULTI'] })).toEqual([
      'run',
      '-i',
      '--rm',
      '--init',
      '--workdir',
      cwd,
      '--entrypoint',
      '',
      '--runtime=runsc',
      '-t',
      '--add-host',
      'host.docker.internal:host-gateway',
      '--name',
      'img-1-0',
      '--hostname',
      'img-1-0',
      '--volume',
      `${cwd}:${cwd}`,
      '--volume',
      `${home}/.gemini:${home}/.gemini`,
      '--volume',
      `${settings}:${settings}:ro`,
      '--volume',
      `${base}/tmp:${base}/tmp`,
      '--volume',
      `${join(gcloud, '..')}:${join(gcloud, '..')}:ro`,
      '--volume',
      `${credentials}:${credentials}:ro`,
      '--volume',
      `${cwd}/.gemini/sandbox.venv:${cwd}/venv`,
      '--volume',
      `${extra}:${extra}:ro`,
      '--volume',
      `${extra}:/to:ro`,
      '--volume',
      `${extra}:/rw:rw`,
      '--volume',
      `${extra}:${extra}:ro`,
      '--volume',
      `${base}:${base}:ro`,
      '--publish',
      '8080:8080',
      '--publish',
      '3000:3000',
      '--publish',
      '9229:9229',
      '--env-file',
      '/e',
      '--env',
      'MULTI',
      '--network',
      'gemini-sandbox',
      '--user',
      'root',
      ...LIMITS,
      '--cap-drop=ALL',
      '--label',
      'a b',
      'img:1',
      'bash',
      '-c',
      'groupadd -f -g 1002 gemini && id -u gemini >/dev/null 2>&1 || ' +
        `useradd -o -u 1001 -g 1002 -d ${home} -s /bin/bash gemini && ` +
        `exec su -p gemini -s /bin/bash -c '${program.replaceAll("'", "'\\''")}'`,
    ]);
  });

  it('create a user with the host id only if files would otherwise change their owner', () => {
    const isMade = (rest: Partial<WholeProcessSources>, config = docker) =>
      runArguments(config, sources(rest), names).includes('--user');
    expect(isMade({ uid: 1000 })).toBe(true);
    expect(isMade({ uid: 1000 }, { ...docker, command: 'podman' })).toBe(false);
    expect(isMade({ uid: 1000, platform: 'darwin' })).toBe(false);
    expect(isMade({ uid: 1000, env: { SANDBOX_SET_UID_GID: 'false' } })).toBe(false);
    expect(isMade({ uid: 0, env: { SANDBOX_SET_UID_GID: 'true' } })).toBe(true);
  });

  it('disconnect the network on request', () => {
    expect(runArguments({ ...docker, networkAccess: false }, sources(), names).join(' ')).toContain(
      '--network gemini-sandbox',
    );
  });

  it('run the proxy in a separate container', () => {
    expect(proxyArguments('img', sources(), 'proxy --port 8877')).toEqual([
      'run',
      '-d',
      '--rm',
      '--init',
      '--name',
      'gemini-sandbox-proxy',
      '--network',
      'gemini-sandbox-proxy',
      '--publish',
      '8877:8877',
      '--volume',
      `${cwd}:${cwd}:ro`,
      '--workdir',
      cwd,
      '--entrypoint',
      '',
      'img',
      'sh',
      '-c',
      'proxy --port 8877',
    ]);
  });

  it.each([
    [{ SANDBOX_MOUNTS: 'relative' }, /SANDBOX_MOUNTS: "relative" is not an absolute path/],
    [{ SANDBOX_MOUNTS: '/not/there' }, /\/not\/there does not exist/],
    [{ SANDBOX_MOUNTS: '/:to' }, /"to" is not an absolute path/],
    [{ SANDBOX_PORTS: '80,http' }, /"http" is not a port/],
    [{ SANDBOX_PORTS: '70000' }, /"70000" is not a port/],
    [{ SANDBOX_FLAGS: '--x "y' }, /a quote is not closed/],
  ])('are refused for %j', (env, message) => {
    expect(() => runArguments(docker, sources({ env }), names)).toThrow(message);
  });
});

describe('the variables of the container', () => {
  it('are the known ones, those of SANDBOX_ENV, the home and SANDBOX', () => {
    const env = {
      GEMINI_API_KEY: 'k',
      TERM: 'xterm',
      SECRET_OTHER: 'no',
      SANDBOX_ENV: 'A=1, B=x=y',
      NO_PROXY: 'n',
    };
    expect(containerVariables(sources({ env }), 'box-0', 'proxy-host')).toEqual({
      GEMINI_API_KEY: 'k',
      TERM: 'xterm',
      A: '1',
      B: 'x=y',
      HTTPS_PROXY: 'http://proxy-host:8877',
      https_proxy: 'http://proxy-host:8877',
      HTTP_PROXY: 'http://proxy-host:8877',
      http_proxy: 'http://proxy-host:8877',
      NO_PROXY: 'n',
      no_proxy: 'n',
      GEMINI_CLI_HOME: home,
      SANDBOX: 'box-0',
    });
    expect(() => containerVariables(sources({ env: { SANDBOX_ENV: 'nonsense' } }), 'x', undefined)).toThrow(
      /NAME=value/,
    );
  });

  it('go into a file, except for values with several lines', () => {
    expect(splitForEnvFile({ A: '1 2', B: 'x\ny' })).toEqual({ text: 'A=1 2\n', inherited: { B: 'x\ny' } });
  });
});

describe('the name', () => {
  it('of the image comes from the variable, the setting or the default', () => {
    const image = (env: Record<string, string>, rest: Partial<SandboxConfig> = {}) =>
      imageName({ ...docker, ...rest }, sources({ env, defaultImage: 'default' }));
    expect(image({ GEMINI_SANDBOX_IMAGE: 'a/b:1' }, { image: 'c' })).toBe('a/b:1');
    expect(image({}, { image: 'c@sha256:ab' })).toBe('c@sha256:ab');
    expect(image({})).toBe('default');
    for (const bad of ['--privileged', 'a b', 'a;b', '$(x)']) {
      expect(() => image({ GEMINI_SANDBOX_IMAGE: bad })).toThrow(/not the name of an image/);
    }
    expect(() => imageName(docker, sources())).toThrow(/The sandbox has no image/);
  });

  it('of the container is the image with the first free number', () => {
    expect(containerName('reg.io/x/sandbox:0.1', [])).toBe('sandbox-0.1-0');
    expect(containerName('sandbox', ['sandbox-0', 'sandbox-1', 'other'])).toBe('sandbox-2');
  });
});

it('shell words keep quotes together and expand nothing', () => {
  expect(shellWords(`a 'b c' "d \\"e" f\\ g "" $HOME 'it'"'"'s'`)).toEqual([
    'a',
    'b c',
    'd "e',
    'f g',
    '',
    '$HOME',
    "it's",
  ]);
  expect(shellWords('  ')).toEqual([]);
  expect(shellWords("open 'quote")).toBeUndefined();
});
