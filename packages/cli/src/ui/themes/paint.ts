/** Turns styles into escape sequences that the terminal supports. */
import type { ColorDepth } from '../../terminal/color-depth.js';
import { shownColor } from './color.js';
import type { Paint, Style } from './style.js';

/** Without colours, bold and other styles are omitted too, unless the terminal supports them (`NO_COLOR`). */
export function createPaint(depth: ColorDepth, hasAttributes = depth !== 'none'): Paint {
  const byKey = new Map<string, Wrapping>();
  // Most styles are a few long-lived objects, cached without building a key.
  const byStyle = new WeakMap<Style, Wrapping>();
  return (text, style) => {
    if (text === '') return '';
    let wrapping = byStyle.get(style);
    if (!wrapping) {
      const key = keyOf(style);
      wrapping = byKey.get(key) ?? wrappingOf(style, depth, hasAttributes);
      byKey.set(key, wrapping);
      byStyle.set(style, wrapping);
    }
    const { open, close } = wrapping;
    if (open === '') return text;
    if (!text.includes('\n')) return open + text + close;
    return text
      .split('\n')
      .map((line) => (line === '' ? '' : open + line + close))
      .join('\n');
  };
}

interface Wrapping {
  open: string;
  close: string;
}

const ATTRIBUTES: readonly [keyof Style, number, number][] = [
  ['bold', 1, 22],
  ['dim', 2, 22],
  ['italic', 3, 23],
  ['underline', 4, 24],
  ['inverse', 7, 27],
  ['strike', 9, 29],
];

function wrappingOf(style: Style, depth: ColorDepth, hasAttributes: boolean): Wrapping {
  const open: string[] = [];
  const close: string[] = [];
  const foreground = style.color && colorCode(style.color, depth, false);
  const background = style.background && colorCode(style.background, depth, true);
  if (foreground) {
    open.push(foreground);
    close.unshift('39');
  }
  if (background) {
    open.push(background);
    close.unshift('49');
  }
  for (const [name, on, off] of ATTRIBUTES) {
    if (!style[name] || !hasAttributes) continue;
    open.push(String(on));
    if (!close.includes(String(off))) close.unshift(String(off));
  }
  if (open.length === 0) return { open: '', close: '' };
  return { open: `\x1b[${open.join(';')}m`, close: `\x1b[${close.join(';')}m` };
}

function colorCode(name: string, depth: ColorDepth, isBackground: boolean): string | undefined {
  const color = shownColor(name, depth, isBackground);
  if (!color) return undefined;
  if (color.kind === 'palette' && color.index < 16) return code16(color.index, isBackground);
  const lead = isBackground ? 48 : 38;
  return color.kind === 'rgb' ? `${lead};2;${color.r};${color.g};${color.b}` : `${lead};5;${color.index}`;
}

function code16(index: number, isBackground: boolean): string {
  return String((index < 8 ? 30 + index : 90 + index - 8) + (isBackground ? 10 : 0));
}

function keyOf(style: Style): string {
  let key = `${style.color ?? ''}|${style.background ?? ''}|`;
  for (const [name] of ATTRIBUTES) key += style[name] ? '1' : '0';
  return key;
}
