/** Engine functions that the dialogs of a front end need; loaded when the first one opens. */
export { saveApiKey } from './model/auth/api-key.js';
export { type AuthType, offeredAuthTypes, preselectedAuthType } from './model/auth/auth-type.js';
export type { SignInPrompts } from './model/auth/context.js';
export { createAuthorizer, signIn, signOut } from './model/auth/index.js';
export { reportAuth } from './model/auth/report.js';
export { checkKey, keyToCheck } from './model/check-key.js';
export { findLocalServers, type LocalServer } from './model/local-servers.js';
export { deleteProviderKeys, savedKeyProviders, saveProviderKey } from './model/provider-keys.js';
export { listProviderModels, type ProviderModels } from './model/provider-models.js';
export { providerIds } from './model/providers.js';
export { proposalEditor } from './platform/editors/edit-proposal.js';
export { chooseEditor, installedEditors } from './platform/editors/editors.js';
export { temporaryDirectory } from './platform/environment.js';
export { HttpClient } from './platform/net/http.js';
export { missingContainment } from './platform/sandbox/containment/missing-containment.js';
export { SecretStore } from './platform/secrets/secret-store.js';
export { discoverFolder } from './settings/discovery/discovery.js';
export { type DialogSetting, dialogSettings } from './settings/schema/dialog-settings.js';
