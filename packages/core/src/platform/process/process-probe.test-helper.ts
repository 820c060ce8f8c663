/** For tests: finds processes by a variable in their environment, independently of the code under test. */
import { readdirSync, readFileSync } from 'node:fs';

export const PROBE = 'TEST_PROBE';

/** Ids of running processes (not zombies) that have `PROBE=value` in their environment. */
export function probed(value: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && hasProbe(pid, value));
}

function hasProbe(pid: number, value: string): boolean {
  try {
    if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return false;
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${PROBE}=${value}`);
  } catch {
    return false;
  }
}

let count = 0;

export function newProbe(): { value: string; environment: Record<string, string> } {
  const value = `${process.pid}-${++count}`;
  return { value, environment: { [PROBE]: value } };
}
