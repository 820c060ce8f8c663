/** For tests: finds processes by a variable in their environment, independently of the code under test. */
import { randomUUID } from 'node:crypto';
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

/** Ends the processes found by their variable: an id that was merely printed could be another process's by now. */
export function endProbed(value: string): void {
  for (const pid of probed(value)) process.kill(pid, 'SIGKILL');
}

export function newProbe(): { value: string; environment: Record<string, string> } {
  const value = randomUUID();
  return { value, environment: { [PROBE]: value } };
}
