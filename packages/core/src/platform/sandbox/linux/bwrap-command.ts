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
const START = `exec "$@" ${FILTER_FD}<"$0"`;

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
    '--new-session',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    // Root without capabilities still owns the kernel's settings, core_pattern among them.
    ...['/proc/sys', '/proc/sysrq-trigger'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...launch.mounts,
    ...(launch.proxy ? ['--bind', launch.proxy.socket, PROXY_SOCKET] : []),
    ...Object.entries(inside).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    launch.cwd,
    '--seccomp',
    FILTER_FD,
    '--',
    ...(launch.proxy ? [launch.proxy.node, ...bridgeArguments(limited[0] ?? '', limited.slice(1))] : limited),
  ];
  const start = [launch.filterFile, launch.bwrap, ...args];
  if (!launch.outerNamespace) return { command: '/bin/sh', args: ['-c', START, ...start], env: outside };
  const script = `${rootLimitScript(policy.limits, launch.outerNamespace)}\n${START}`;
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
