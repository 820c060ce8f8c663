/** Builds the bubblewrap command line of a contained command. Pure. */
import { shellQuote } from '../../../base/shell-words.js';
import { enterSandbox, ISOLATED_SESSION, READ_ONLY_ROOT, START_WITH_FILTER } from '../linux/bwrap-command.js';
import { limitScript } from '../linux/limits.js';
import { splitEnvironment } from '../split-environment.js';
import type { SandboxRequest } from '../types.js';
import { CONTAINED_LIMITS } from './types.js';

export interface ContainedLaunch {
  bwrap: string;
  /** The seccomp filter without unix sockets. */
  filterFile: string;
  mounts: readonly string[];
  /** Real path of the working directory. */
  cwd: string;
  /** The working directory as the user's shell names it, through links. */
  shownCwd: string | undefined;
  /** Required for ordinary users. Root works without, and then still sees the owners of files. */
  userNamespace: boolean;
  /** The kernel can limit the processes of this sandbox. */
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
    // Root without capabilities could still write kernel settings; a private /dev could be filled up.
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
