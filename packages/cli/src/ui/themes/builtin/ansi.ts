/** Themes in the sixteen colours that the user has chosen for the terminal, and the one without any. */
import { fromPalette, type Palette } from '../palette.js';
import type { Theme } from '../theme.js';

const DARK: Palette = {
  background: '',
  foreground: '',
  gray: 'gray',
  comment: 'gray',
  border: 'gray',
  input: '',
  blue: 'blueBright',
  purple: 'magentaBright',
  cyan: 'cyan',
  green: 'green',
  yellow: 'yellow',
  orange: 'yellowBright',
  red: 'redBright',
  added: '',
  removed: '',
};
const LIGHT: Palette = { ...DARK, blue: 'blue', purple: 'magenta', orange: 'red', red: 'red' };

export const ANSI = fromPalette('ANSI', 'dark', DARK);
export const ANSI_LIGHT = fromPalette('ANSI Light', 'light', LIGHT);

export const NO_COLOR: Theme = {
  ...fromPalette('NoColor', 'none', {
    background: '',
    foreground: '',
    gray: '',
    comment: '',
    border: '',
    input: '',
    blue: '',
    purple: '',
    cyan: '',
    green: '',
    yellow: '',
    orange: '',
    red: '',
    added: '',
    removed: '',
    gradient: [],
  }),
  syntax: {},
};
