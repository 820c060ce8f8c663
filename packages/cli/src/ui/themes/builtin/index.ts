/** All themes that come with the program, in the order of the dialog: dark, then light. */
import type { Theme } from '../theme.js';
import { ANSI, ANSI_LIGHT } from './ansi.js';
import { DARK_THEMES } from './dark.js';
import { DEFAULT_DARK, DEFAULT_LIGHT } from './default.js';
import { LIGHT_THEMES } from './light.js';

export const BUILTIN_THEMES: readonly Theme[] = [
  ...byName([ANSI, DEFAULT_DARK, ...DARK_THEMES]),
  ...byName([ANSI_LIGHT, DEFAULT_LIGHT, ...LIGHT_THEMES]),
];

function byName(themes: readonly Theme[]): Theme[] {
  return [...themes].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}
