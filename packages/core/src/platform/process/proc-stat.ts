/** Reads the state of a process from Linux's `/proc`. */
import { readFileSync } from 'node:fs';

/** Fields of `/proc/<pid>/stat` from the state on, the third of proc(5); undefined when the process is gone. */
export function processStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may itself hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Start time in clock ticks. Process ids are reused; a pair of id and start time is not. */
export function startTimeOf(pid: number): string | undefined {
  return processStat(pid)?.[19];
}
