/** The installed extensions as files: which are enabled where, and the values of their settings. */
export { isEnabled, readEnablement, setEnabled } from './enablement/enablement.js';
export { resolveSettings } from './settings/read-values.js';
