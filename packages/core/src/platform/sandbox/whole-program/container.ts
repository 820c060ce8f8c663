/** Builds the docker and podman arguments for a container that runs the whole program. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FatalSandboxError } from '../../../base/errors.js';
import { shellQuote, shellWords } from '../../../base/shell-words.js';
import { limitFlags } from './container-limits.js';
import { containerMounts, shadowedVirtualEnvironment } from './container-mounts.js';
import type { SandboxConfig } from './select.js';
import { PROXY_COMMAND_PORT, type WholeProcessSources } from './whole-process.js';

export const INTERNAL_NETWORK = 'gemini-sandbox';
export const PROXY_NETWORK = 'gemini-sandbox-proxy';
export const PROXY_CONTAINER = 'gemini-sandbox-proxy';

export interface ContainerNames {
  image: string;
  name: string;
  envFile: string;
  /** Variables that docker takes from its own environment. */
  inherited: readonly string[];
}

export function runArguments(
  config: SandboxConfig,
  sources: WholeProcessSources,
  { image, name, envFile, inherited }: ContainerNames,
): string[] {
  const { env, cwd, isTerminal } = sources;
  const user = hostUser(config, sources);
  const flags = extraFlags(env['SANDBOX_FLAGS']);
  return [
    'run',
    '-i',
    '--rm',
    '--init',
    '--workdir',
    cwd,
    '--entrypoint',
    '',
    ...(config.command === 'runsc' ? ['--runtime=runsc'] : []),
    ...(isTerminal ? ['-t'] : []),
    '--add-host',
    'host.docker.internal:host-gateway',
    '--name',
    name,
    '--hostname',
    name,
    ...containerMounts(sources, config.allowedPaths).flatMap(({ from, to, options }) => [
      '--volume',
      [from, to, options].filter(Boolean).join(':'),
    ]),
    ...ports(env).flatMap((port) => ['--publish', `${port}:${port}`]),
    '--env-file',
    envFile,
    ...inherited.flatMap((variable) => ['--env', variable]),
    ...(isInternal(config, env) ? ['--network', INTERNAL_NETWORK] : []),
    ...(user ? ['--user', 'root'] : []),
    ...limitFlags(sources.platform, flags),
    ...flags,
    image,
    'bash',
    '-c',
    startScript(sources, user),
  ];
}

/** Without direct network access: only through the proxy, or none. */
export function isInternal(config: SandboxConfig, env: WholeProcessSources['env']): boolean {
  return !config.networkAccess || Boolean(env['GEMINI_SANDBOX_PROXY_COMMAND']);
}

/** The container of the proxy command; it is connected to both networks. */
export function proxyArguments(image: string, { cwd }: WholeProcessSources, command: string): string[] {
  return [
    'run',
    '-d',
    '--rm',
    '--init',
    '--name',
    PROXY_CONTAINER,
    '--network',
    PROXY_NETWORK,
    '--publish',
    `${PROXY_COMMAND_PORT}:${PROXY_COMMAND_PORT}`,
    '--volume',
    `${cwd}:${cwd}:ro`,
    '--workdir',
    cwd,
    '--entrypoint',
    '',
    image,
    'sh',
    '-c',
    command,
  ];
}

/** @throws FatalSandboxError for an invalid name, also one that docker could take for an option */
export function imageName(config: SandboxConfig, { env, defaultImage }: WholeProcessSources): string {
  const image = env['GEMINI_SANDBOX_IMAGE'] || config.image || defaultImage;
  if (!image) {
    throw new FatalSandboxError('The sandbox has no image. Set GEMINI_SANDBOX_IMAGE or tools.sandbox.image.');
  }
  if (!/^[a-z0-9][a-z0-9._/:@-]*$/i.test(image) || image.length > 255) {
    throw new FatalSandboxError(
      `"${image.slice(0, 80)}" is not the name of an image (GEMINI_SANDBOX_IMAGE or tools.sandbox.image).`,
    );
  }
  return image;
}

/** `<image>-<n>` with the first free number. */
export function containerName(image: string, taken: readonly string[]): string {
  const base = (image.split('/').at(-1) ?? image).replace(/@.*$/, '').replaceAll(':', '-');
  for (let number = 0; ; number++) {
    const name = `${base}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

interface HostUser {
  uid: number;
  gid: number;
}

/** On Linux, files keep their owner only if the user inside has the same id; podman does that itself. */
function hostUser(
  { command }: SandboxConfig,
  { env, platform, uid, gid }: WholeProcessSources,
): HostUser | undefined {
  const choice = env['SANDBOX_SET_UID_GID']?.toLowerCase();
  if (choice === 'false' || choice === '0') return undefined;
  const isNeeded = platform === 'linux' && command !== 'podman' && uid !== 0;
  return isNeeded || choice === 'true' || choice === '1' ? { uid, gid } : undefined;
}

function startScript(sources: WholeProcessSources, user: HostUser | undefined): string {
  const { cwd, home, args } = sources;
  const bashrc = join(cwd, '.gemini/sandbox.bashrc');
  const venv = shadowedVirtualEnvironment(sources);
  const program = [
    ...(venv ? [`export PATH=${shellQuote(join(venv, 'bin'))}:"$PATH"`] : []),
    ...(existsSync(bashrc) ? [`. ${shellQuote(bashrc)}`] : []),
    ['exec gemini', ...args.map(shellQuote)].join(' '),
  ].join('; ');
  if (!user) return program;
  return [
    `groupadd -f -g ${user.gid} gemini`,
    `id -u gemini >/dev/null 2>&1 || useradd -o -u ${user.uid} -g ${user.gid} -d ${shellQuote(home)} -s /bin/bash gemini`,
    // Without -l, which would reset the environment and the working directory.
    `exec su -p gemini -s /bin/bash -c ${shellQuote(program)}`,
  ].join(' && ');
}

function ports(env: WholeProcessSources['env']): string[] {
  const named = (env['SANDBOX_PORTS'] ?? '').split(',').map((port) => port.trim());
  const debug =
    env['DEBUG'] && env['DEBUG'] !== '0' && env['DEBUG'] !== 'false' ? (env['DEBUG_PORT'] ?? '9229') : '';
  const all = [...new Set([...named, debug].filter(Boolean))];
  const wrong = all.find((port) => !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535);
  if (wrong !== undefined)
    throw new FatalSandboxError(`SANDBOX_PORTS, DEBUG_PORT: "${wrong}" is not a port.`);
  return all;
}

function extraFlags(text = ''): string[] {
  const words = shellWords(text);
  if (!words) throw new FatalSandboxError('SANDBOX_FLAGS: a quote is not closed.');
  return words;
}
