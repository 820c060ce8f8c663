/** Everything that changes the installed extensions; loaded with the first such command. */

export { SecretStore } from '../../platform/secrets/secret-store.js';
export { askValue } from '../settings/ask-values.js';
export { resolveSettings } from '../settings/read-values.js';
export { storeValue } from '../settings/store-values.js';
export { ExtensionUpdateStatus } from '../types.js';
export { checkForUpdate, type UpdateCheck } from '../update/check.js';
export { updateExtension } from '../update/update.js';
export { type InstallRequest, installExtension, linkExtension } from './install.js';
export { installedExtensions, requireInstalled } from './installed.js';
export type { InstallPorts } from './ports.js';
export { uninstallExtension } from './uninstall.js';
