/** Builds the bubblewrap command line of a restricted process. Pure. */
import { enterSandbox, ISOLATED_SESSION } from '../linux/bwrap-command.js';
import { limitScript } from '../linux/limits.js';
import { bridgeArguments, PROXY_SOCKET, PROXY_VARIABLES } from '../network/proxy-bridge.js';
import { splitEnvironment } from '../split-environment.js';
import { DEFAULT_LIMITS } from '../types.js';
import type { PathLink } from './follow-links.js';
import { OBSERVER_PROGRAM } from './observer.js';

export interface RightsLaunch {
  bwrap: string;
  /** The seccomp filter. */
  filterFile: string;
  /** See mount-plan.ts. */
  mounts: readonly string[];
  links: readonly PathLink[];
  /** Empty folders to create. */
  folders: readonly string[];
  /** Real path of the working directory. */
  cwd: string;
  /** The socket of our proxy outside; absent: the process has no network and no unix sockets. */
  proxySocket?: string;
  /** Watches what the process tries to use, leads connections to the proxy, and filters the process once more. */
  observer?: { perl: string; arguments: readonly string[]; reportFile: string; filterFile: string };
  /** Without an observer: Node leads connections to the proxy. */
  node: string;
  /** Hosts that are reached through the proxy although they are local. */
  localHosts: readonly string[];
  limitsProcesses: boolean;
}

interface Invocation {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '::1'];

/** A shell opens the files, because we cannot pass descriptors through our pipes. */
const START = 'exec "$@" 9<"$0"';
const START_OBSERVED =
  'perl=$1; report=$2; filter=$3; shift 3; exec "$@" 9<"$0" 8<"$perl" 7>>"$report" 6<"$filter"';

export function rightsCommand({ command, args, env }: Invocation, launch: RightsLaunch) {
  const { observer, proxySocket } = launch;
  const { outside, inside } = splitEnvironment(env);
  const direct = LOCAL_HOSTS.filter((host) => !launch.localHosts.includes(host)).join(',');
  const variables = {
    ...outside,
    ...(proxySocket !== undefined && { ...PROXY_VARIABLES, NO_PROXY: direct, no_proxy: direct }),
    ...{ TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp' },
  };
  const limited = ['/bin/sh', '-c', limitScript(DEFAULT_LIMITS, launch.limitsProcesses), command, ...args];
  const started = observer
    ? [OBSERVER_PROGRAM, ...observer.arguments, ...limited]
    : proxySocket !== undefined
      ? [launch.node, ...bridgeArguments(limited[0] ?? '', limited.slice(1))]
      : limited;
  const bwrap = [
    launch.bwrap,
    '--unshare-all',
    ...ISOLATED_SESSION,
    ...['--dev', '/dev', '--proc', '/proc'],
    ...['/proc/sys', '/proc/sysrq-trigger'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...launch.mounts,
    ...launch.links.flatMap(({ at, target }) => ['--symlink', target, at]),
    ...launch.folders.flatMap((path) => ['--dir', path]),
    ...(proxySocket === undefined ? [] : ['--bind', proxySocket, PROXY_SOCKET]),
    ...['--remount-ro', '/'],
    ...enterSandbox(inside, launch.cwd),
    ...started,
  ];
  const script = observer
    ? [START_OBSERVED, launch.filterFile, observer.perl, observer.reportFile, observer.filterFile]
    : [START, launch.filterFile];
  return { command: '/bin/sh', args: ['-c', ...script, ...bwrap], env: variables };
}
