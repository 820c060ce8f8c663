/** Themes in the sixteen colours that the user has chosen for the terminal, and the one without any. */
import { fromPalette } from '../palette.js';
import type { Theme } from '../theme.js';

export const ANSI = fromPalette('ANSI', 'dark', {
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
});

export const ANSI_LIGHT = fromPalette('ANSI Light', 'light', {
  background: '',
  foreground: '',
  gray: 'gray',
  comment: 'gray',
  border: 'gray',
  input: '',
  blue: 'blue',
  purple: 'magenta',
  cyan: 'cyan',
  green: 'green',
  yellow: 'yellow',
  orange: 'red',
  red: 'red',
  added: '',
  removed: '',
});

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
