/** The bytes a terminal sends for a key. */

/** Final byte after `ESC [`. */
const LETTERS: Record<string, string> = { Up: 'A', Down: 'B', Right: 'C', Left: 'D', Home: 'H', End: 'F' };
/** Number before `~` after `ESC [`. */
const NUMBERS: Record<string, number> = {
  Insert: 2,
  Delete: 3,
  PageUp: 5,
  PageDown: 6,
  F5: 15,
  F6: 17,
  F7: 18,
  F8: 19,
  F9: 20,
  F10: 21,
  F11: 23,
  F12: 24,
};
/** As Kitty's protocol numbers them; without a modifier they are a plain byte. */
const CODES: Record<string, number> = { Enter: 13, Tab: 9, Esc: 27, Backspace: 127 };
const FUNCTIONS: Record<string, string> = { F1: 'P', F2: 'Q', F3: 'R', F4: 'S' };
const MODIFIERS: Record<string, number> = { Shift: 1, Alt: 2, Ctrl: 4 };

/** `Enter`, `Ctrl+C`, `Alt+x`, `Shift+Tab`, `Ctrl+Left`, `F12`, or a character. */
export function keyBytes(key: string): string {
  if ([...key].length === 1) return key;
  const words = key.split('+');
  const name = words.pop() ?? '';
  const bits = words.reduce((sum, word) => sum + (MODIFIERS[word] ?? Number.NaN), 0);
  if (Number.isNaN(bits)) throw new Error(`No key is called ${key}.`);
  return named(name, bits) ?? character(name, bits) ?? unknown(key);
}

function named(name: string, bits: number): string | undefined {
  const modifier = bits > 0 ? bits + 1 : undefined;
  const letter = LETTERS[name];
  if (letter) return modifier ? `\x1b[1;${modifier}${letter}` : `\x1b[${letter}`;
  const number = NUMBERS[name];
  if (number) return modifier ? `\x1b[${number};${modifier}~` : `\x1b[${number}~`;
  const final = FUNCTIONS[name];
  if (final) return modifier ? `\x1b[1;${modifier}${final}` : `\x1bO${final}`;
  const code = CODES[name];
  if (code === undefined) return undefined;
  if (name === 'Tab' && bits === 1) return '\x1b[Z';
  return modifier ? `\x1b[${code};${modifier}u` : String.fromCharCode(code);
}

function character(name: string, bits: number): string | undefined {
  if (bits === 4 && /^[A-Z@[\\\]^_]$/.test(name)) return String.fromCharCode(name.charCodeAt(0) & 31);
  return bits === 2 && [...name].length === 1 ? `\x1b${name}` : undefined;
}

function unknown(key: string): never {
  throw new Error(`No key is called ${key}.`);
}
