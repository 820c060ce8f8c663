/** The installed extensions as files: which are enabled where, and the values of their settings. */

export { isAllowed } from '../settings/trust/untrusted.js';
export { isEnabled, readEnablement, setEnabled } from './enablement/enablement.js';

import type { Variables } from '../platform/environment.js';
import { SecretStore } from '../platform/secrets/secret-store.js';
import { resolveSettings, type ValueSources } from './settings/read-values.js';
import type { GeminiCLIExtension, ResolvedExtensionSetting } from './types.js';

/** The values of an extension that is not active: a start does not read them. */
export function settingValues(
  extension: GeminiCLIExtension,
  sources: Omit<ValueSources, 'secrets'> & { variables: Variables },
): Promise<ResolvedExtensionSetting[]> {
  return resolveSettings(extension, { ...sources, secrets: new SecretStore({ env: sources.variables }) });
}
