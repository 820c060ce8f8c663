/** Key names for the numbers and letters of xterm, rxvt and the Kitty keyboard protocol. */

/** Finals of `CSI … X` and `SS3 X`. */
export const BY_LETTER: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'clear',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** `SS3 X` of a keypad in application mode. */
export const KEYPAD: Readonly<Record<string, string>> = {
  M: 'enter',
  X: '=',
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  p: '0',
  q: '1',
  r: '2',
  s: '3',
  t: '4',
  u: '5',
  v: '6',
  w: '7',
  x: '8',
  y: '9',
};

/** `CSI n ~`. */
export const BY_NUMBER: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
  25: 'f13',
  26: 'f14',
  28: 'f15',
  29: 'f16',
  31: 'f17',
  32: 'f18',
  33: 'f19',
  34: 'f20',
};

const ASCII_KEYS: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  10: 'enter',
  13: 'enter',
  27: 'escape',
  32: 'space',
  127: 'backspace',
};

/** A keypad key types its character and has its own name for bindings. */
const KEYPAD_TEXT: Readonly<Record<string, string>> = {
  numpad_decimal: '.',
  numpad_divide: '/',
  numpad_multiply: '*',
  numpad_subtract: '-',
  numpad_add: '+',
  numpad_equal: '=',
  numpad_separator: ',',
};

const KITTY_LOCKS = ['capslock', 'scrolllock', 'numlock', 'printscreen', 'pausebreak', 'menu'];
const KITTY_KEYPAD = [
  ...['decimal', 'divide', 'multiply', 'subtract', 'add'].map((name) => `numpad_${name}`),
  'enter',
  'numpad_equal',
  'numpad_separator',
  ...['left', 'right', 'up', 'down', 'pageup', 'pagedown', 'home', 'end', 'insert', 'delete', 'clear'],
];

/** A code of `CSI code u` or of modifyOtherKeys. `text` is what the key types without modifiers. */
export function keyOfCode(code: number): { name: string; text: string } | undefined {
  const ascii = ASCII_KEYS[code];
  if (ascii) return { name: ascii, text: code === 32 ? ' ' : '' };
  if (code >= 57358 && code <= 57363) return { name: KITTY_LOCKS[code - 57358] ?? '', text: '' };
  if (code >= 57376 && code <= 57398) return { name: `f${code - 57376 + 13}`, text: '' };
  if (code >= 57399 && code <= 57408) {
    const digit = String(code - 57399);
    return { name: `numpad${digit}`, text: digit };
  }
  if (code >= 57409 && code <= 57427) {
    const name = KITTY_KEYPAD[code - 57409] ?? '';
    return { name, text: KEYPAD_TEXT[name] ?? '' };
  }
  // The rest of this private area is media keys and modifiers pressed alone; control characters are not keys either.
  if (code < 32 || (code >= 57344 && code <= 63743) || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    return undefined;
  const text = String.fromCodePoint(code);
  return { name: text, text };
}
