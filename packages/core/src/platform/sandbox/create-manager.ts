/** Chooses how commands are sandboxed on this platform. */
import type { Variables } from '../environment.js';
import { LinuxSandboxManager } from './linux/linux-manager.js';
import { MacOsSandboxManager } from './macos/macos-manager.js';
import type { SandboxManager } from './types.js';
import { WindowsSandboxManager } from './windows-manager.js';

export interface SandboxManagerOptions {
  variables: Variables;
  platform?: NodeJS.Platform;
  /** Directory of our own files; default: below `~/.gemini/tmp`. */
  stateDirectory?: string;
}

/** On an unknown platform every command is refused, as on Windows. */
export function createSandboxManager({
  variables,
  platform = process.platform,
  stateDirectory,
}: SandboxManagerOptions): SandboxManager {
  if (platform === 'linux') return new LinuxSandboxManager({ variables, stateDirectory });
  if (platform === 'darwin') return new MacOsSandboxManager({ variables });
  return new WindowsSandboxManager();
}
