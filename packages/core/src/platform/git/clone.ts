/**
 * Fetches the newest state of a remote repository into an empty folder, without its history. The user's own git
 * configuration counts, for credentials; nothing that the repository brings is run.
 */
import { UserError } from '../../base/errors.js';
import type { Variables } from '../environment.js';
import { findProgram } from '../process/find-program.js';
import { runProcess } from '../process/process-runner.js';

export interface CloneOptions {
  url: string;
  /** Branch, tag or commit. Absent: the default branch. */
  ref?: string;
  /** Exists and is empty. */
  into: string;
  variables: Variables;
  signal?: AbortSignal;
}

class CloneError extends UserError {
  override readonly name = 'CloneError';
  override readonly code = 'clone';
}

const TIME_LIMIT_MS = 5 * 60_000;

const SETTINGS = {
  'core.hooksPath': process.platform === 'win32' ? 'NUL' : '/dev/null',
  'core.fsmonitor': 'false',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'advice.detachedHead': 'false',
  'init.defaultBranch': 'main',
  'init.templateDir': '',
};

/** @throws CloneError */
export async function cloneRepository({ url, ref, into, variables, signal }: CloneOptions): Promise<void> {
  for (const value of [url, ref ?? ''])
    if (value.startsWith('-') || /[\0\r\n]/.test(value)) throw new CloneError(`Not a source: ${value}`);
  const git = findProgram('git', variables['PATH']);
  if (!git) throw new CloneError('git was not found. Install it, or put it on the PATH.');
  const settings = Object.entries(SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const env = {
    ...variables,
    // `ext` and other transports could run programs.
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  };
  const steps = [
    ['init', '--quiet'],
    ['fetch', '--quiet', '--depth', '1', '--no-tags', '--', url, ref ?? 'HEAD'],
    ['checkout', '--quiet', '--detach', 'FETCH_HEAD'],
  ];
  for (const step of steps) {
    const run = await runProcess(git, [...settings, ...step], {
      cwd: into,
      env,
      timeoutMs: TIME_LIMIT_MS,
      ...(signal && { signal }),
    });
    if (run.exitCode === 0) continue;
    const reason =
      run.error?.message ?? (run.endedBy === 'timeout' ? 'it took too long' : lastLine(run.stderr));
    throw new CloneError(`Cannot fetch ${url}${ref === undefined ? '' : ` (${ref})`}: ${reason}`);
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) || 'git failed without a message';
}
