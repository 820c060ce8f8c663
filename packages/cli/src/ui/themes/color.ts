/** Parses the colours of themes and terminals, and finds the nearest colour that the terminal has. */
import type { ColorDepth } from '../../terminal/color-depth.js';
import { CSS_COLORS } from './css-colors.js';

/** `palette`: an index of the terminal's 256 colours; the user chooses the look of the first 16. */
export type Color = { kind: 'rgb'; r: number; g: number; b: number } | { kind: 'palette'; index: number };

const BASE_NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** Names of the first 16, in both common spellings: `brightred`, `redBright`. */
const ANSI_INDEX: ReadonlyMap<string, number> = new Map([
  ...BASE_NAMES.map((name, index): [string, number] => [name, index]),
  ...BASE_NAMES.flatMap((name, index): [string, number][] => [
    [`bright${name}`, index + 8],
    [`${name}bright`, index + 8],
  ]),
  ['gray', 8],
  ['grey', 8],
]);

/** `#rgb`, `#rrggbb`, an ANSI name, a palette index as text, a CSS name. */
export function parseColor(text: string): Color | undefined {
  const name = text.trim().toLowerCase();
  if (name.startsWith('#')) return parseHex(name.slice(1));
  const ansi = ANSI_INDEX.get(name);
  if (ansi !== undefined) return { kind: 'palette', index: ansi };
  if (/^\d{1,3}$/.test(name) && Number(name) < 256) return { kind: 'palette', index: Number(name) };
  const css = CSS_COLORS.get(name);
  return css === undefined ? undefined : parseHex(css);
}

/** As themes store it: `#rrggbb`, or an ANSI name as Ink spells it. */
export function normalizeColor(text: string): string | undefined {
  const color = parseColor(text);
  if (!color) return undefined;
  if (color.kind === 'rgb') return toHex(color);
  return color.index < 16 ? ansiName(color.index) : toHex(paletteRgb(color.index));
}

function ansiName(index: number): string {
  const base = BASE_NAMES[index % 8] ?? 'white';
  return index < 8 ? base : `${base}Bright`;
}

/** The colour shown by a terminal of this depth; undefined: none. */
export function shownColor(name: string, depth: ColorDepth, isBackground = false): Color | undefined {
  const color = depth === 'none' ? undefined : parseColor(name);
  if (!color || depth === 'truecolor' || (color.kind === 'palette' && color.index < 16)) return color;
  if (depth === 'ansi256')
    return color.kind === 'palette' ? color : { kind: 'palette', index: nearest256(color) };
  // Sixteen colours contain no tints: the nearest background would be black or glaring.
  return isBackground ? undefined : { kind: 'palette', index: nearest16(rgbOf(color)) };
}

/** The same colour as Ink writes it; empty: none. */
export function inkColor(name: string, depth: ColorDepth, isBackground = false): string {
  const color = shownColor(name, depth, isBackground);
  if (!color) return '';
  if (color.kind === 'rgb') return toHex(color);
  return color.index < 16 ? ansiName(color.index) : `ansi256(${color.index})`;
}

export interface Rgb {
  r: number;
  g: number;
  b: number;
}

export function rgbOf(color: Color): Rgb {
  return color.kind === 'rgb' ? color : paletteRgb(color.index);
}

/** Indexes from 16 on: the 6 × 6 × 6 cube and the grey ramp, which are the same everywhere. */
function nearest256({ r, g, b }: Rgb): number {
  const cube = [r, g, b].map((value) => nearestOf(CUBE_STEPS, value));
  const [ri = 0, gi = 0, bi = 0] = cube;
  const cubeIndex = 16 + 36 * ri + 6 * gi + bi;
  const grey = Math.max(0, Math.min(23, Math.round(((r + g + b) / 3 - 8) / 10)));
  const isGreyNearer =
    distance(paletteRgb(232 + grey), { r, g, b }) < distance(paletteRgb(cubeIndex), { r, g, b });
  return isGreyNearer ? 232 + grey : cubeIndex;
}

/** By hue: the numerically nearest colour would turn a soft red violet and a bluish grey pink. */
function nearest16({ r, g, b }: Rgb): number {
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const lightness = (most + least) / 510;
  if (most - least < COLOURLESS)
    return lightness < 0.2 ? 0 : lightness < 0.75 ? 8 : lightness < 0.92 ? 7 : 15;
  const hue = hueOf(r, g, b, most, most - least);
  const base = HUES.find(([end]) => hue < end)?.[1] ?? 1;
  return lightness > 0.55 ? base + 8 : base;
}

/** Channels closer than this look grey. */
const COLOURLESS = 42;
/** Where the hues red, yellow, green, cyan, blue, magenta, and red again end, in degrees. */
const HUES: readonly [number, number][] = [
  [20, 1],
  [75, 3],
  [160, 2],
  [200, 6],
  [255, 4],
  [330, 5],
  [361, 1],
];

function hueOf(r: number, g: number, b: number, most: number, chroma: number): number {
  const sixth = most === r ? (g - b) / chroma : most === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return (sixth * 60 + 360) % 360;
}

/** A point between two colours; `share` 0 is the first. */
export function mix(from: Rgb, to: Rgb, share: number): string {
  const between = (a: number, b: number) => Math.round(a + (b - a) * share);
  return toHex({ r: between(from.r, to.r), g: between(from.g, to.g), b: between(from.b, to.b) });
}

/** Relative luminance (WCAG): 0 is black, 1 is white. */
export function luminance({ r, g, b }: Rgb): number {
  const [lr = 0, lg = 0, lb = 0] = [r, g, b].map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * lr + 0.7152 * lg + 0.0722 * lb;
}

/** Contrast ratio (WCAG): 1 for equal colours, 21 for black and white. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function parseHex(digits: string): Color | undefined {
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  if (!/^[0-9a-f]{6}$/.test(full)) return undefined;
  const value = Number.parseInt(full, 16);
  return { kind: 'rgb', r: value >> 16, g: (value >> 8) & 255, b: value & 255 };
}

function toHex({ r, g, b }: Rgb): string {
  return `#${((r << 16) | (g << 8) | b).toString(16).padStart(6, '0')}`;
}

const CUBE_STEPS = [0, 95, 135, 175, 215, 255];
/** What terminals usually show for the first 16. */
const FIRST_16 = [
  0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd, 0xe5e5e5, 0x666666, 0xf14c4c,
  0x23d18b, 0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xffffff,
];

function paletteRgb(index: number): Rgb {
  const first = FIRST_16[index];
  if (first !== undefined) return { r: first >> 16, g: (first >> 8) & 255, b: first & 255 };
  if (index >= 232) {
    const level = 8 + (index - 232) * 10;
    return { r: level, g: level, b: level };
  }
  const rest = index - 16;
  const step = (digit: number) => CUBE_STEPS[digit % 6] ?? 0;
  return { r: step(Math.floor(rest / 36)), g: step(Math.floor(rest / 6)), b: step(rest) };
}

function nearestOf(steps: readonly number[], value: number): number {
  let best = 0;
  for (const [index, step] of steps.entries()) {
    if (Math.abs(step - value) < Math.abs((steps[best] ?? 0) - value)) best = index;
  }
  return best;
}

/** Weighted for the eye's sensitivity to red and blue ("redmean"). */
function distance(a: Rgb, b: Rgb): number {
  const red = (a.r + b.r) / 2;
  const [dr, dg, db] = [a.r - b.r, a.g - b.g, a.b - b.b];
  return (2 + red / 256) * dr * dr + 4 * dg * dg + (2 + (255 - red) / 256) * db * db;
}
