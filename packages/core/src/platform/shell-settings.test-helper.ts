/** Shell settings of a headless session in which the user has set nothing. */
import { shellSettingsFrom } from '../engine/derived-settings.js';
import { withDefaults } from '../settings/schema/parameters.js';
import type { ShellSettings } from './shell-settings.js';

export const DEFAULT_SHELL_SETTINGS: ShellSettings = shellSettingsFrom({
  ...withDefaults({}),
  interactive: false,
});
