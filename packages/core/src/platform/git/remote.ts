/**
 * Runs git against a repository of another machine, with the user's own configuration and keys, for credentials. Nothing
 * that a repository brings is run, git never asks, and it sees none of our secrets.
 */
import { UserError } from '../../base/errors.js';
import type { Variables } from '../environment.js';
import { findProgram } from '../process/find-program.js';
import { runProcess } from '../process/process-runner.js';
import { scrubEnvironment } from '../redaction/scrub-environment.js';

export interface RemoteGitOptions {
  cwd: string;
  variables: Variables;
  /** Sent to github.com over https, and to no other host. */
  githubToken?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Git cannot reach or read the repository. */
export class CloneError extends UserError {
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
  // A host that stalls is given up long before the time limit of the whole run.
  'http.lowSpeedLimit': '1',
  'http.lowSpeedTime': '30',
};

/** @param what for the message, such as `fetch <url>` @returns stdout @throws CloneError */
export async function runRemoteGit(
  step: readonly string[],
  { cwd, variables, githubToken, timeoutMs = TIME_LIMIT_MS, signal }: RemoteGitOptions,
  what: string,
): Promise<string> {
  const git = findProgram('git', variables['PATH']);
  if (!git) throw new CloneError('git was not found. Install it, or put it on the PATH.');
  const settings = Object.entries(SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const run = await runProcess(git, [...settings, ...step], {
    cwd,
    env: environmentOf(variables, githubToken),
    timeoutMs,
    ...(signal && { signal }),
  });
  signal?.throwIfAborted();
  if (run.exitCode === 0) return run.stdout;
  const reason =
    run.error?.message ?? (run.endedBy === 'timeout' ? 'it took too long' : lastLine(run.stderr));
  throw new CloneError(`Cannot ${what}: ${reason}`);
}

/** @throws CloneError for what git would take as an option */
export function requireArgument(value: string): void {
  if (value.startsWith('-') || /[\0\r\n]/.test(value)) throw new CloneError(`Not a source: ${value}`);
}

/** Of git's own variables only those that choose keys and proxies; others name repositories, programs or files. */
const KEPT = new Set(['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'GIT_CONFIG_GLOBAL']);

function environmentOf(variables: Variables, githubToken: string | undefined): Record<string, string> {
  const clean = scrubEnvironment(variables, {
    enabled: true,
    allowed: ['SSH_AUTH_SOCK', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', ...KEPT],
  });
  const kept = Object.entries(clean).filter(([name]) => !/^GIT_/i.test(name) || KEPT.has(name));
  return {
    ...Object.fromEntries(kept),
    // `ext` and other transports could run programs; `sso` is the user's own.
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file:sso',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
    ...(githubToken && tokenSetting(githubToken)),
  };
}

/** As a variable: arguments can be seen by every user of the machine. Git sends the header to this host only. */
function tokenSetting(token: string): Record<string, string> {
  const credentials = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.https://github.com/.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials}`,
  };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) || 'git failed without a message';
}
