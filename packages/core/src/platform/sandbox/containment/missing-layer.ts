/** Says in one line that commands which run unasked are, or may be, not contained here, and how to get that. */
import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import type { Variables } from '../../environment.js';
import { findProgram } from '../../process/find-program.js';
import { hasWholeLandlock } from '../linux/kernel-version.js';

interface Machine {
  platform: NodeJS.Platform;
  /** Of the kernel. */
  release: string;
  isRoot: boolean;
  /** Where the kernel shows its settings. */
  settings: string;
  /** Absent: the usual ones. */
  programDirectories?: readonly string[];
}

const COMMANDS = 'Commands judged harmless';
const INSTALL = 'install bubblewrap (apt install bubblewrap)';

/** Looks at files only, cheap enough for a dialog; whether it works is found out by trying (`gemini doctor`). */
export function missingContainment(variables: Variables, machine = thisMachine()): string | undefined {
  if (machine.platform === 'linux') return missingOnLinux(variables, machine);
  if (machine.platform === 'darwin' && existsSync('/usr/bin/sandbox-exec')) return undefined;
  return `${COMMANDS} run without a sandbox on this platform: run the whole program in docker (--sandbox).`;
}

function missingOnLinux(variables: Variables, machine: Machine): string | undefined {
  const hasBubblewrap = findProgram('bwrap', variables['PATH'], machine.programDirectories) !== undefined;
  const isRefused = refusesNamespaces(machine);
  if (hasBubblewrap && !isRefused) return undefined;
  // Bubblewrap may have a profile or rights of its own, and Landlock may be switched off.
  if (hasBubblewrap)
    return `${COMMANDS} may run without a sandbox: the kernel restricts user namespaces. See gemini doctor.`;
  const hasPerl = findProgram('perl', undefined, machine.programDirectories) !== undefined;
  if (hasPerl && hasWholeLandlock(machine.release))
    return `${COMMANDS} may run without a sandbox; edits by redirection do: ${INSTALL}.`;
  return `${COMMANDS} run without a sandbox: ${INSTALL}.`;
}

/** Root needs no user namespace. */
function refusesNamespaces({ isRoot, settings }: Machine): boolean {
  if (isRoot) return false;
  const setting = (name: string) => {
    try {
      return readFileSync(join(settings, name), 'utf8').trim();
    } catch {
      // This kernel does not have the setting.
      return undefined;
    }
  };
  return (
    setting('kernel/apparmor_restrict_unprivileged_userns') === '1' ||
    setting('kernel/unprivileged_userns_clone') === '0' ||
    setting('user/max_user_namespaces') === '0'
  );
}

function thisMachine(): Machine {
  return {
    platform: process.platform,
    release: release(),
    isRoot: process.getuid?.() === 0,
    settings: '/proc/sys',
  };
}
