/** Ends a contained command that runs too long or, where the kernel does not count for root, starts too many processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { CONTAINED_LIMITS } from './types.js';

export interface GuardOptions {
  /** False: the kernel limits the processes already. */
  countsProcesses: boolean;
  maxProcesses?: number;
  wallMs?: number;
}

/** Short, as a bomb doubles with each step; most commands have ended before it is looked at the first time. */
const COUNT_EVERY_MS = 20;

/** @param pid of bubblewrap, whose end is the end of all it holds. Returns how to stop watching. */
export function guard(pid: number, options: GuardOptions): () => void {
  const { countsProcesses, maxProcesses = CONTAINED_LIMITS.maxProcesses } = options;
  const limit = setTimeout(() => end(pid), options.wallMs ?? CONTAINED_LIMITS.wallMs);
  const counting = countsProcesses
    ? setInterval(() => processesIn(pid) > maxProcesses && end(pid), COUNT_EVERY_MS)
    : undefined;
  limit.unref();
  counting?.unref();
  return () => {
    clearTimeout(limit);
    clearInterval(counting);
  };
}

/** As the command itself sees them: all that is in its process namespace. */
function processesIn(pid: number): number {
  const first = firstChildOf(pid);
  if (first === undefined) return 0;
  try {
    return readdirSync(`/proc/${first}/root/proc`).filter((name) => /^\d+$/.test(name)).length;
  } catch {
    return 0;
  }
}

/** Bubblewrap's child is the first process of the namespace; the kernel ends all others with it. */
function end(pid: number): void {
  for (const target of [firstChildOf(pid), pid]) {
    try {
      if (target !== undefined) process.kill(target, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}

function firstChildOf(pid: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return Number(first) || undefined;
  } catch {
    return undefined;
  }
}
