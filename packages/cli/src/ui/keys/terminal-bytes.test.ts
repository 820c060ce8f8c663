import { expect, it } from 'vitest';
import type { InputEvent, Key } from './key.js';
import { KeyParser } from './parse.js';
import { terminalBytes } from './terminal-bytes.js';

const isKey = (event: InputEvent): event is Key => event.kind === 'key';

it.each([
  ['Escape', '\x1b[27u', '\x1b'],
  ['Ctrl+C', '\x1b[99;5u', '\x03'],
  ['Ctrl+D of modifyOtherKeys', '\x1b[27;5;100~', '\x04'],
  ['Alt+B', '\x1b[98;3u', '\x1bb'],
  ['Shift+Enter', '\x1b[13;2u', '\r'],
  ['Backspace', '\x1b[127u', '\x7f'],
  ['a letter', 'x', 'x'],
  ['an arrow', '\x1b[A', '\x1b[A'],
])('%s reaches a command in the form of an ordinary terminal', (_, typed, expected) => {
  const keys = new KeyParser({ platform: 'linux' }).feed(typed).filter(isKey);
  expect(keys.map(terminalBytes).join('')).toBe(expected);
});
