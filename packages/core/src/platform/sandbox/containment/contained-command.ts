/** The command line that holds a command with bubblewrap, as cheaply as can be: one namespace of each kind. Pure. */
import { shellQuote } from '../../../base/shell-words.js';
import { enterSandbox, ISOLATED_SESSION, READ_ONLY_ROOT, START_WITH_FILTER } from '../linux/bwrap-command.js';
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
    ...ISOLATED_SESSION,
    ...READ_ONLY_ROOT,
    ...launch.mounts,
    // Root without capabilities still owns the kernel's settings; a private /dev could be filled up.
    '--remount-ro',
    '/proc',
    '--remount-ro',
    '/dev',
    ...enterSandbox(inside, launch.cwd),
    '/bin/sh',
    '-c',
    script,
    command,
    ...args,
  ];
  return {
    command: '/bin/sh',
    args: ['-c', START_WITH_FILTER, launch.filterFile, launch.bwrap, ...bwrap],
    env: outside,
  };
}
