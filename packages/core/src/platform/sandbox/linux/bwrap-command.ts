/** The command line that isolates a command with bubblewrap. Pure. */
import { bridgeArguments, PROXY_SOCKET, PROXY_VARIABLES } from '../network/proxy-bridge.js';
import type { SandboxRequest } from '../types.js';
import { splitEnvironment } from '../whole-program/split-environment.js';
import { limitScript, rootLimitScript } from './limits.js';

export interface BwrapLaunch {
  bwrap: string;
  /** Holds the filter of system calls. */
  filterFile: string;
  /** What is seen of the file system; see mount-plan.ts. */
  mounts: readonly string[];
  /** Real path of the working directory. */
  cwd: string;
  /** With chosen hosts: the socket of our proxy outside, and Node for the bridge inside. */
  proxy?: { socket: string; node: string };
  /** Set: a process namespace around it limits root (limits.ts). The name of our own, which must not be limited. */
  outerNamespace: string | undefined;
  /** The kernel can count the processes of this sandbox alone. */
  limitsProcesses: boolean;
}

export interface CommandLine {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** The shell opens the filter: neither terminals nor pipes of ours have a way to pass on a descriptor. */
const FILTER_FD = '9';
export const START_WITH_FILTER = `exec "$@" ${FILTER_FD}<"$0"`;

/** In our process group a command could signal all others in it, although it does not see them. */
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
    // Root without capabilities still owns the kernel's settings, core_pattern among them.
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
