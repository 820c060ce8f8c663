/** Resource limits of the container that runs the whole program (docs/sandbox.md). */
import { availableParallelism } from 'node:os';

/** A virtual machine around docker has fewer processors than the host; docker refuses more than there are. */
const PROCESSORS = { linux: 4, other: 2 };

interface Limit {
  flag: string;
  value: (platform: NodeJS.Platform) => string;
  /** Flags of SANDBOX_FLAGS that set the same limit; docker refuses some of them together. */
  replacedBy: RegExp;
}

const LIMITS: readonly Limit[] = [
  { flag: '--memory', value: () => '4g', replacedBy: /^(?:--memory|-m)(?:=|$)/ },
  {
    flag: '--cpus',
    value: (platform) =>
      String(Math.min(availableParallelism(), platform === 'linux' ? PROCESSORS.linux : PROCESSORS.other)),
    replacedBy: /^--(?:cpus|cpu-quota|cpu-period)(?:=|$)/,
  },
  { flag: '--pids-limit', value: () => '2048', replacedBy: /^--pids-limit(?:=|$)/ },
];

/** @param flags the words of SANDBOX_FLAGS, which take precedence */
export function limitFlags(platform: NodeJS.Platform, flags: readonly string[]): string[] {
  return LIMITS.filter(({ replacedBy }) => !flags.some((word) => replacedBy.test(word))).flatMap(
    ({ flag, value }) => [flag, value(platform)],
  );
}
