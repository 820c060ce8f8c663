/** Builds the bubblewrap command line for the whole program. Pure. */

export interface ProgramLaunch {
  bwrap: string;
  /** The seccomp filter. */
  filter: string;
  /** Bubblewrap writes the id of its first process there. */
  report: string;
  mounts: readonly string[];
  /** Real path of the working directory. */
  cwd: string;
  networkAccess: boolean;
  isRoot: boolean;
}

/**
 * Opens the filter and the file for bubblewrap's report. Bubblewrap ends at signals of the terminal, and the program
 * with it, so it ignores them; Node handles them again by itself.
 */
const START = `trap '' HUP INT QUIT TERM USR1 USR2; report="$1"; shift; exec "$@" 9<"$0" 8>"$report"`;

/** Without a new session, so that the program keeps its terminal; the filter refuses to type into it. */
export function programCommand(launch: ProgramLaunch, program: readonly string[]) {
  const { bwrap, filter, report, mounts, cwd, networkAccess, isRoot } = launch;
  const kernel = ['/proc/sys', '/proc/sysrq-trigger'];
  const options = [
    ...(isRoot ? [] : ['--unshare-user']),
    ...['--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try'],
    ...(networkAccess ? [] : ['--unshare-net']),
    '--die-with-parent',
    ...['--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // Root could write kernel settings. For others this would prevent further sandboxes inside.
    ...(isRoot ? kernel.flatMap((path) => ['--ro-bind-try', path, path]) : []),
    ...mounts,
    ...['--chdir', cwd, '--info-fd', '8', '--seccomp', '9'],
  ];
  return { command: '/bin/sh', args: ['-c', START, filter, report, bwrap, ...options, '--', ...program] };
}
