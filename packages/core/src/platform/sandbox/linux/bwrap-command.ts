/** Builds the bubblewrap command line of a sandboxed command. Pure. */
import { bridgeArguments, PROXY_SOCKET, PROXY_VARIABLES } from '../network/proxy-bridge.js';
import { splitEnvironment } from '../split-environment.js';
import type { SandboxRequest } from '../types.js';
import { limitScript, rootLimitScript } from './limits.js';

export interface BwrapLaunch {
  bwrap: string;
  /** The seccomp filter. */
  filterFile: string;
  /** See mount-plan.ts. */
  mounts: readonly string[];
  /** Real path of the working directory. */
  cwd: string;
  /** For a list of hosts: the socket of our proxy outside, and Node for the bridge inside. */
  proxy?: { socket: string; node: string };
  /** Our own process namespace, which must not be limited. Set: an outer namespace limits root (limits.ts). */
  outerNamespace: string | undefined;
  /** The kernel can limit the processes of this sandbox. */
  limitsProcesses: boolean;
}

export interface CommandLine {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** A shell opens the filter, because we cannot pass a descriptor through our terminals and pipes. */
const FILTER_FD = '9';
export const START_WITH_FILTER = `exec "$@" ${FILTER_FD}<"$0"`;

/** A new session, because a command could signal all processes of our process group without seeing them. */
export const ISOLATED_SESSION = ['--new-session', '--die-with-parent', '--cap-drop', 'ALL'];
export const READ_ONLY_ROOT = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

/** The last arguments of bubblewrap; the command follows. */
export function enterSandbox(env: Readonly<Record<string, string>>, cwd: string): string[] {
  const variables = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]);
  return [...variables, '--chdir', cwd, '--seccomp', FILTER_FD, '--'];
}

export function bwrapCommand(request: SandboxRequest, launch: BwrapLaunch): CommandLine {
  const { policy } = request;
  const { outside: given, inside } = splitEnvironment(request.env);
  const temporary = { TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp' };
  const outside = { ...given, ...temporary, ...(launch.proxy ? PROXY_VARIABLES : {}) };
  const limited = [
    '/bin/sh',
    '-c',
    limitScript(policy.limits, launch.limitsProcesses),
    request.command,
    ...request.args,
  ];
  const args = [
    '--unshare-all',
    ...(policy.network === 'on' ? ['--share-net'] : []),
    ...ISOLATED_SESSION,
    ...READ_ONLY_ROOT,
    // Root without capabilities could still write kernel settings such as core_pattern.
    ...['/proc/sys', '/proc/sysrq-trigger'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...launch.mounts,
    ...(launch.proxy ? ['--bind', launch.proxy.socket, PROXY_SOCKET] : []),
    ...enterSandbox(inside, launch.cwd),
    ...(launch.proxy ? [launch.proxy.node, ...bridgeArguments(limited[0] ?? '', limited.slice(1))] : limited),
  ];
  const start = [launch.filterFile, launch.bwrap, ...args];
  if (!launch.outerNamespace)
    return { command: '/bin/sh', args: ['-c', START_WITH_FILTER, ...start], env: outside };
  const script = `${rootLimitScript(policy.limits, launch.outerNamespace)}\n${START_WITH_FILTER}`;
  const around = [
    '--dev-bind',
    '/',
    '/',
    '--unshare-pid',
    '--die-with-parent',
    '--',
    '/bin/sh',
    '-c',
    script,
  ];
  return { command: launch.bwrap, args: [...around, ...start], env: outside };
}
