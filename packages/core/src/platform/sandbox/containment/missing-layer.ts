/** Says in one line that commands which run unasked are not contained here, and how to get that. */
import { existsSync } from 'node:fs';
import type { Variables } from '../../environment.js';
import { findProgram } from '../find-program.js';

const RUNS_FREE = 'Commands judged harmless run without a sandbox';

/** A look at what is installed, cheap enough for a dialog; whether it works is found out by trying. */
export function missingContainment(
  variables: Variables,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform === 'linux') {
    const isThere = findProgram('bwrap', variables['PATH']) !== undefined;
    return isThere ? undefined : `${RUNS_FREE}: install bubblewrap (apt install bubblewrap).`;
  }
  if (platform === 'darwin' && existsSync('/usr/bin/sandbox-exec')) return undefined;
  return `${RUNS_FREE} on this platform: run the whole program in docker (--sandbox).`;
}
