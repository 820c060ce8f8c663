import { describe, expect, it } from 'vitest';
import { AnsiStripper, sanitizeLine, stripAnsi } from './strip-ansi.js';

const ESC = '\u001b';

/** Hostile or usual input, and what may reach a terminal. */
const CASES: [string, string, string][] = [
  ['plain text', 'a\tb\r\nc — 漢字 👩‍💻', 'a\tb\r\nc — 漢字 👩‍💻'],
  ['colours', `${ESC}[1;31mred${ESC}[0m`, 'red'],
  ['cursor moves and clearing', `a${ESC}[2J${ESC}[10;20Hb${ESC}[?25l`, 'ab'],
  ['clipboard and title strings', `a${ESC}]52;c;ZXZpbA==${'\u0007'}b${ESC}]0;title${ESC}\\c`, 'abc'],
  ['hyperlinks', `${ESC}]8;;http://evil${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
  ['device strings', `${ESC}P1$r0m${ESC}\\x${ESC}_app${ESC}\\y${ESC}^pm${ESC}\\z`, 'xyz'],
  ['one-byte forms', '\u009b31mred\u009d0;t\u009cx\u0085y', 'redxy'],
  ['character sets and resets', `${ESC}(B${ESC}ca${ESC}=b`, 'ab'],
  ['control characters', 'a\u0000b\u0007c\bd\u007fe', 'abcde'],
  ['a sequence that breaks off', `a${ESC}[31\nb${ESC}`, 'a\nb'],
  ['a string that is never closed, losing only its line', `a${ESC}]0;x\nb`, 'a\nb'],
  ['an escape inside a string', `a${ESC}]0;x${ESC}[31mb`, 'ab'],
];

describe('stripAnsi', () => {
  it.each(CASES)('makes %s safe', (_title, input, expected) => {
    expect(stripAnsi(input)).toBe(expected);
  });

  it.each(CASES)('makes %s safe, in chunks of one character', (_title, input, expected) => {
    const stripper = new AnsiStripper();
    let output = '';
    for (let at = 0; at < input.length; at++) output += stripper.push(input.charAt(at));
    expect(output + stripper.flush()).toBe(expected);
  });

  it('never returns half a character', () => {
    const stripper = new AnsiStripper();
    expect(stripper.push('a\ud83d')).toBe('a');
    expect(stripper.push('\ude00b')).toBe('😀b');
    expect(stripper.push('\ud83d')).toBe('');
    expect(stripper.flush()).toBe('\ud83d');
  });
});

describe('sanitizeLine', () => {
  it('also removes characters that reorder or hide text', () => {
    expect(sanitizeLine('a\u202eb\u2066c\u200bd\ufeffe\u200ff')).toBe('abcdef');
    expect(sanitizeLine('a\u{e0041}\u{e007f}b\u2028c\u061cd 👩‍💻')).toBe('abcd 👩‍💻');
  });
});
