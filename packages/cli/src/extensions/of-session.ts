/** The verbs that change extensions, with the folder and settings of a running session. */
import type { Config, LoadedSettings } from '@gemini-cli/core';
import type { ExtensionActions } from '../commands/extension-actions.js';
import { extensionActions } from './actions.js';

export function extensionActionsOf(config: Config, settings: LoadedSettings): ExtensionActions {
  return extensionActions(() => ({
    environment: config.getEnvironment(),
    settings,
    isTrusted: config.isTrustedFolder(),
  }));
}
