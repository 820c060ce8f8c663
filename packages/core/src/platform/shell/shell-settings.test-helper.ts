/** For tests: default shell settings of a headless session. */
import { DEFAULT_PARAMETERS } from '@gemini-cli/test-utils';
import { type ShellSettings, UNATTENDED } from './shell-settings.js';

const { shell, environmentRedaction } = DEFAULT_PARAMETERS;

export const DEFAULT_SHELL_SETTINGS: ShellSettings = {
  ...UNATTENDED,
  ...shell,
  inactivityTimeoutSeconds: shell.inactivityTimeout,
  environmentRedaction,
};
