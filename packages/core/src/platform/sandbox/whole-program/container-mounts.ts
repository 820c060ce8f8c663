/** Mounts of the container that runs the whole program, at the same paths as outside. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { FatalSandboxError } from '../../../base/errors.js';
import { isInside } from '../../files/real-path.js';
import type { WholeProcessSources } from './whole-process.js';

export interface ContainerMount {
  from: string;
  to: string;
  options?: string;
}

/** Read-only parts of our own directory: changing them would change the rules outside. */
const READ_ONLY_STATE = ['settings.json', 'trustedFolders.json', 'policies'];

export function containerMounts(
  sources: WholeProcessSources,
  configuredPaths: readonly string[],
): ContainerMount[] {
  const { env, cwd, home, temporaryDirectory, allowedPaths } = sources;
  const state = join(home, '.gemini');
  const readOnly = (path: string): ContainerMount => ({ from: path, to: path, options: 'ro' });
  const credentials = env['GOOGLE_APPLICATION_CREDENTIALS'];
  return [
    { from: cwd, to: cwd },
    ...(existsSync(state) ? [{ from: state, to: state }] : []),
    ...READ_ONLY_STATE.map((name) => join(state, name))
      .filter(existsSync)
      .map(readOnly),
    ...(temporaryDirectory === cwd ? [] : [{ from: temporaryDirectory, to: temporaryDirectory }]),
    ...[join(home, '.config/gcloud')].filter(existsSync).map(readOnly),
    ...(credentials && existsSync(credentials) ? [readOnly(credentials)] : []),
    ...virtualEnvironment(sources),
    ...namedMounts(env['SANDBOX_MOUNTS']),
    ...[...configuredPaths, ...allowedPaths].map((path) => readOnly(required(path, 'an allowed path'))),
  ];
}

/** Python programs of the host do not run inside, so the container gets its own virtual environment. */
export function shadowedVirtualEnvironment({ env, cwd }: WholeProcessSources): string | undefined {
  const path = env['VIRTUAL_ENV'];
  return path && isInside(path, cwd) ? path : undefined;
}

function virtualEnvironment(sources: WholeProcessSources): ContainerMount[] {
  const to = shadowedVirtualEnvironment(sources);
  return to ? [{ from: join(sources.cwd, '.gemini/sandbox.venv'), to }] : [];
}

/** `from[:to[:options]]`, separated by commas. */
export function namedMounts(text = ''): ContainerMount[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
    .map((item) => {
      const [from = '', to = from, options = 'ro'] = item.split(':').map((part) => part.trim() || undefined);
      if (!isAbsolute(to)) throw new FatalSandboxError(`SANDBOX_MOUNTS: "${to}" is not an absolute path.`);
      return { from: required(from, 'SANDBOX_MOUNTS'), to, options };
    });
}

function required(path: string, origin: string): string {
  if (!isAbsolute(path)) throw new FatalSandboxError(`${origin}: "${path}" is not an absolute path.`);
  if (!existsSync(path)) throw new FatalSandboxError(`${origin}: ${path} does not exist.`);
  return path;
}
