/** A line for the user when commands may run without containment on this machine: why, and what to install. */
import { existsSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import type { Variables } from '../../environment.js';
import { tryReadText } from '../../files/try-read.js';
import { findProgram } from '../../process/find-program.js';
import { hasWholeLandlock } from '../linux/kernel-version.js';

interface Machine {
  platform: NodeJS.Platform;
  /** Kernel release. */
  release: string;
  isRoot: boolean;
  /** Folder of the kernel settings: /proc/sys. */
  settings: string;
  programDirectories?: readonly string[];
}

const COMMANDS = 'Commands judged harmless';
const INSTALL = 'install bubblewrap (apt install bubblewrap)';

/** Only looks at files, fast enough for a dialog; `gemini doctor` tests whether containment really works. */
export function missingContainment(variables: Variables, machine = thisMachine()): string | undefined {
  if (machine.platform === 'linux') return missingOnLinux(variables, machine);
  if (machine.platform === 'darwin' && existsSync('/usr/bin/sandbox-exec')) return undefined;
  return `${COMMANDS} run without a sandbox on this platform: run the whole program in docker (--sandbox).`;
}

function missingOnLinux(variables: Variables, machine: Machine): string | undefined {
  const hasBubblewrap = findProgram('bwrap', variables['PATH'], machine.programDirectories) !== undefined;
  const isRefused = refusesNamespaces(machine);
  if (hasBubblewrap && !isRefused) return undefined;
  // We cannot be sure: bubblewrap may have its own AppArmor profile, and Landlock may be disabled.
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
  // Undefined where the kernel does not have the setting.
  const setting = (name: string) => tryReadText(join(settings, name))?.trim();
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
