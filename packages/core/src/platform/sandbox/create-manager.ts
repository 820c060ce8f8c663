/** Chooses how this platform isolates commands. */
import { LinuxSandboxManager } from './linux-manager.js';
import { MacOsSandboxManager } from './macos-manager.js';
import type { SandboxManager } from './types.js';
import { WindowsSandboxManager } from './windows-manager.js';

/** On a platform we do not know, nothing is ever run as if it were isolated. */
export function createSandboxManager(
  platform: NodeJS.Platform = process.platform,
  /** Where files of our own go; absent: the usual place. */
  stateDirectory?: string,
): SandboxManager {
  if (platform === 'linux') return new LinuxSandboxManager({ stateDirectory });
  if (platform === 'darwin') return new MacOsSandboxManager();
  return new WindowsSandboxManager();
}
