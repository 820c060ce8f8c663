/** The command line that holds a command with bubblewrap, as cheaply as can be: one namespace of each kind. Pure. */
import { shellQuote } from '../../../base/shell-words.js';
import { limitScript } from '../linux/limits.js';
import type { SandboxRequest } from '../types.js';
import { splitEnvironment } from '../whole-program/split-environment.js';
import { CONTAINED_LIMITS } from './types.js';

export interface ContainedLaunch {
  bwrap: string;
  /** Holds the filter of system calls, the one without unix sockets. */
  filterFile: string;
  mounts: readonly string[];
  /** Real path of the working directory. */
  cwd: string;
  /** As the shell would name it outside, through links. */
  shownCwd: string | undefined;
  /** Without it root keeps seeing who owns a file; an ordinary user cannot do without. */
  userNamespace: boolean;
  /** The kernel can count the processes of this sandbox alone. */
  limitsProcesses: boolean;
}

/** The shell opens the filter: neither terminals nor pipes of ours have a way to pass on a descriptor. */
const FILTER_FD = '9';
const START = `exec "$@" ${FILTER_FD}<"$0"`;

type Invocation = Pick<SandboxRequest, 'command' | 'args' | 'env'>;

export function containedCommand({ command, args, env }: Invocation, launch: ContainedLaunch) {
  const { outside, inside } = splitEnvironment(env);
  const { shownCwd } = launch;
  const script = [
    ...(shownCwd === undefined ? [] : [`PWD=${shellQuote(shownCwd)}; export PWD`]),
    limitScript(CONTAINED_LIMITS, launch.limitsProcesses),
  ].join('\n');
  const bwrap = [
    ...(launch.userNamespace ? ['--unshare-user'] : []),
    '--unshare-pid',
    '--unshare-net',
    '--unshare-ipc',
    // In our process group it could signal all others in it, although it does not see them.
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
    ...launch.mounts,
    // Root without capabilities still owns the kernel's settings; a private /dev could be filled up.
    '--remount-ro',
    '/proc',
    '--remount-ro',
    '/dev',
    ...Object.entries(inside).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    launch.cwd,
    '--seccomp',
    FILTER_FD,
    '--',
    '/bin/sh',
    '-c',
    script,
    command,
    ...args,
  ];
  return {
    command: '/bin/sh',
    args: ['-c', START, launch.filterFile, launch.bwrap, ...bwrap],
    env: outside,
  };
}
