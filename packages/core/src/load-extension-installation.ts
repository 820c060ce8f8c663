/** Loads the installation of extensions on first use. */

export type ExtensionInstallation = typeof import('./extensions/install/index.js');
export type { InstallPorts, InstallRequest } from './extensions/install/index.js';

export function loadExtensionInstallation(): Promise<ExtensionInstallation> {
  return import('./extensions/install/index.js');
}
