/** The themes most people see. Plain text keeps the terminal's own colour, so both sit well on any background of their kind. */
import { fromPalette } from '../palette.js';

export const DEFAULT_DARK = fromPalette('Default', 'dark', {
  background: '#16181f',
  foreground: '',
  gray: '#949cb1',
  comment: '#7d869d',
  border: '#454c5e',
  input: '#262a37',
  blue: '#7ab7ff',
  purple: '#bd9dff',
  cyan: '#62d2c8',
  green: '#86d68e',
  yellow: '#f0cb7a',
  orange: '#f4ae76',
  red: '#ff858d',
  added: '#163726',
  removed: '#432029',
  focus: '#8fb2ff',
  gradient: ['#5fb0ff', '#a58bff', '#ff8ab5'],
});

export const DEFAULT_LIGHT = fromPalette('Default Light', 'light', {
  background: '#fbfbfd',
  foreground: '',
  gray: '#5c6478',
  comment: '#6b7388',
  border: '#c3c9d6',
  input: '#eceff5',
  blue: '#1a5fc7',
  purple: '#7536c9',
  cyan: '#08747a',
  green: '#227a35',
  yellow: '#8f5d00',
  orange: '#a84b06',
  red: '#c2213a',
  added: '#d9f3df',
  removed: '#fbdde0',
  focus: '#3a66d6',
  gradient: ['#1a73d8', '#7c4ddb', '#cf3f7f'],
});
