/** Chooses how this platform isolates commands. */
import type { Variables } from '../environment.js';
import { LinuxSandboxManager } from './linux/linux-manager.js';
import { MacOsSandboxManager } from './macos/macos-manager.js';
import type { SandboxManager } from './types.js';
import { WindowsSandboxManager } from './windows-manager.js';

export interface SandboxManagerOptions {
  variables: Variables;
  platform?: NodeJS.Platform;
  /** Where files of our own go; absent: the usual place. */
  stateDirectory?: string;
}

/** On a platform we do not know, nothing is ever run as if it were isolated. */
export function createSandboxManager({
  variables,
  platform = process.platform,
  stateDirectory,
}: SandboxManagerOptions): SandboxManager {
  if (platform === 'linux') return new LinuxSandboxManager({ variables, stateDirectory });
  if (platform === 'darwin') return new MacOsSandboxManager({ variables });
  return new WindowsSandboxManager();
}
