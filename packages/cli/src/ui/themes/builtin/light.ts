/** Light themes. The names are those that settings may hold; the colours are chosen for this program. */
import { fromPalette } from '../palette.js';
import type { Theme } from '../theme.js';

const AYU_LIGHT = fromPalette('Ayu Light', 'light', {
  background: '#fafbfb',
  foreground: '#4f565f',
  gray: '#676f79',
  comment: '#6f7781',
  border: '#cdd2d7',
  input: '#eceef0',
  blue: '#1e70b8',
  purple: '#8a4fbd',
  cyan: '#227a61',
  green: '#567700',
  yellow: '#9a6200',
  orange: '#b8520a',
  red: '#cf3d3d',
  added: '#def3d6',
  removed: '#fbdddd',
  accent: '#b8520a',
});

const GITHUB_LIGHT = fromPalette('GitHub Light', 'light', {
  background: '#ffffff',
  foreground: '#20262d',
  gray: '#59636e',
  comment: '#626c77',
  border: '#cdd5de',
  input: '#eff2f6',
  blue: '#0b62cf',
  purple: '#7d4bd1',
  cyan: '#0a5aa8',
  green: '#1b7a38',
  yellow: '#8f5f00',
  orange: '#a3430c',
  red: '#c9222f',
  added: '#d7f8df',
  removed: '#ffe2df',
});

/** Blue for good, orange for bad: told apart by people who do not see red and green. */
const GITHUB_LIGHT_COLORBLIND = fromPalette('GitHub Light Colorblind', 'light', {
  background: '#ffffff',
  foreground: '#20262d',
  gray: '#57606b',
  comment: '#5f6974',
  border: '#c8d0d9',
  input: '#eff2f6',
  blue: '#0a5ac2',
  purple: '#6d47b8',
  cyan: '#0a5aa8',
  green: '#0a55b5',
  yellow: '#806400',
  orange: '#964a00',
  red: '#a84a00',
  added: '#d6e9ff',
  removed: '#ffe3c2',
  gradient: ['#0a5ac2', '#6d47b8', '#a84a00'],
});

const GOOGLE_CODE = fromPalette('Google Code', 'light', {
  background: '#ffffff',
  foreground: '#33373d',
  gray: '#5d646d',
  comment: '#7a3030',
  border: '#cfd3d8',
  input: '#f0f2f5',
  blue: '#5b2a86',
  purple: '#0a1f9c',
  cyan: '#5b1f7a',
  green: '#0d6b1e',
  yellow: '#7a5c00',
  orange: '#0a5c66',
  red: '#b3261e',
  added: '#dcf3df',
  removed: '#fae0de',
  link: '#1a56c4',
  accent: '#1a56c4',
  focus: '#1a56c4',
  gradient: ['#1a56c4', '#b3261e', '#7a5c00', '#0d6b1e'],
});

const SOLARIZED_LIGHT = fromPalette('Solarized Light', 'light', {
  background: '#fdf6e4',
  foreground: '#4d626a',
  gray: '#5c6d73',
  comment: '#5f6f73',
  border: '#d6cfb8',
  input: '#f1e9d2',
  blue: '#1c6aa6',
  purple: '#5559a8',
  cyan: '#14706a',
  green: '#5c6800',
  yellow: '#805c00',
  orange: '#b03f10',
  red: '#c22a28',
  added: '#e5efc4',
  removed: '#f9dccb',
});

const XCODE = fromPalette('Xcode', 'light', {
  background: '#ffffff',
  foreground: '#1f1f24',
  gray: '#5f6570',
  comment: '#5a6875',
  border: '#cfd2d9',
  input: '#eff1f5',
  blue: '#23418f',
  purple: '#a3157f',
  cyan: '#2f6f78',
  green: '#b52212',
  yellow: '#755300',
  orange: '#2115c4',
  red: '#c41a1c',
  added: '#dcf4e2',
  removed: '#fde0e0',
  link: '#0f5fd1',
  accent: '#7a2fb8',
  focus: '#0f5fd1',
  gradient: ['#0f5fd1', '#7a2fb8', '#a3157f'],
});

const HIGH_CONTRAST_LIGHT = fromPalette('High Contrast Light', 'light', {
  background: '#ffffff',
  foreground: '#000000',
  gray: '#333333',
  comment: '#404040',
  border: '#000000',
  input: '#e6e6e6',
  blue: '#003c9e',
  purple: '#5a0fa0',
  cyan: '#00504f',
  green: '#00510f',
  yellow: '#5c3d00',
  orange: '#7a2d00',
  red: '#990012',
  added: '#c4f5cf',
  removed: '#ffd0d3',
});

/** Where red does not mean "string": the state of things keeps its usual colours. */
const XCODE_STATUS: Theme = {
  ...XCODE,
  status: { success: '#1d7a35', warning: '#755300', error: '#c41a1c' },
};

export const LIGHT_THEMES: readonly Theme[] = [
  AYU_LIGHT,
  GITHUB_LIGHT,
  GITHUB_LIGHT_COLORBLIND,
  GOOGLE_CODE,
  HIGH_CONTRAST_LIGHT,
  SOLARIZED_LIGHT,
  XCODE_STATUS,
];
