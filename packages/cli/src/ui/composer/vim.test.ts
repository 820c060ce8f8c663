import { describe, expect, it } from 'vitest';
import { typing } from './composer.test-helper.js';
import { snapToBoundary } from './graphemes.js';
import { randomFrom } from './random.test-helper.js';
import { lastColumn } from './vim-motions.js';

const ESC = '\x1b';

/** Keys in NORMAL, starting where `|` stands. */
function normal(start: string, keys: string): string {
  const { store, type, shown } = typing({ vim: true, width: 60 }, start);
  const { vim, buffer } = store.getState();
  if (vim) store.dispatch({ type: 'put', buffer, vim: { ...vim, mode: 'NORMAL' } });
  for (const key of keys) type(key);
  return shown();
}

describe('motions', () => {
  it.each<[string, string, string]>([
    ['ab|c', 'h', 'a|bc'],
    ['|abc', 'h', '|abc'],
    ['a|bc', 'l', 'ab|c'],
    ['ab|c', 'l', 'ab|c'],
    ['|abcdef', '3l', 'abc|def'],
    ['|👨‍👩‍👧x', 'l', '👨‍👩‍👧|x'],
    ['ab|c\nxyz', 'j', 'abc\nxy|z'],
    ['abc\nxy|z', 'k', 'ab|c\nxyz'],
    ['abc|d\nx\nabcd', 'jj', 'abcd\nx\nabc|d'],
    ['abc\n|x', 'j', 'abc\n|x'],
    ['  ab|c', '0', '|  abc'],
    ['  ab|c', '^', '  |abc'],
    ['a|bc', '$', 'ab|c'],
    ['|abc\nxyz', '2$', 'abc\nxy|z'],
    ['|one two', 'w', 'one |two'],
    ['|one.two', 'w', 'one|.two'],
    ['|one.two x', 'W', 'one.two |x'],
    ['one |two\nthree', 'w', 'one two\n|three'],
    ['|one two three', '2w', 'one two |three'],
    ['one two| three', 'b', 'one |two three'],
    ['one\n|two', 'b', '|one\ntwo'],
    ['one.t|wo', 'B', '|one.two'],
    ['|one two', 'e', 'on|e two'],
    ['on|e two', 'e', 'one tw|o'],
    ['|one.two x', 'E', 'one.tw|o x'],
    ['a\nb\n|c', 'gg', '|a\nb\nc'],
    ['|a\nb\n  c', 'G', 'a\nb\n  |c'],
    ['|a\nb\nc', '2G', 'a\n|b\nc'],
    ['a\nb\n|c', '2gg', 'a\n|b\nc'],
    ['|abcabc', 'fc', 'ab|cabc'],
    ['|abcabc', '2fc', 'abcab|c'],
    ['|abcabc', 'fz', '|abcabc'],
    ['|abcabc', 'tc', 'a|bcabc'],
    ['abcab|c', 'Fa', 'abc|abc'],
    ['abcab|c', 'Ta', 'abca|bc'],
    ['|abcabc', 'fb;', 'abca|bc'],
    ['|abcabc', 'fb;,', 'a|bcabc'],
    ['|abcabc', 'tb;', 'abc|abc'],
    ['|世界 x', 'w', '世界 |x'],
  ])('%j %s -> %j', (before, keys, after) => expect(normal(before, keys)).toBe(after));
});

describe('operators', () => {
  it.each<[string, string, string]>([
    ['|one two three', 'dw', '|two three'],
    ['|one two three', 'd2w', '|three'],
    ['|one two three', '2dw', '|three'],
    ['one |two\nx', 'dw', 'one| \nx'],
    ['one two| three', 'db', 'one | three'],
    ['|one two', 'de', '| two'],
    ['|one.two x', 'dW', '|x'],
    ['one.two |x', 'dB', '|x'],
    ['|one.two x', 'dE', '| x'],
    ['abc|d', 'd0', '|d'],
    ['  ab|c', 'd^', '  |c'],
    ['a|bc', 'd$', '|a'],
    ['a\nb\nc|c\nd', 'dgg', '|d'],
    ['a\nb|b\nc', 'dG', '|a'],
    ['|abcd', 'dfc', '|d'],
    ['|abcd', 'dtc', '|cd'],
    ['abc|d', 'dFb', 'a|d'],
    ['abc|d', 'dTb', 'ab|d'],
    ['a\n|b\nc', 'dd', 'a\n|c'],
    ['a\n|b', 'dd', '|a'],
    ['|a', 'dd', '|'],
    ['|a\nb\nc', '2dd', '|c'],
    ['|a\nb\nc', 'dj', '|c'],
    ['a\nb\n|c', 'dk', '|a'],
    ['a|bcd', 'D', '|a'],
    ['a|bcd', 'x', 'a|cd'],
    ['a|bcd', '2x', 'a|d'],
    ['ab|c', 'x', 'a|b'],
    ['ab|cd', 'X', 'a|cd'],
    ['|abc', 'rx', '|xbc'],
    ['|abc', '2rx', 'x|xc'],
    ['|abc', '9rx', '|abc'],
    ['|aBc', '~', 'A|Bc'],
    ['|aBc', '3~', 'Ab|C'],
    ['|one two', 'yw', '|one two'],
    ['|one two', 'ywP', 'one| one two'],
    ['|ab', 'xp', 'b|a'],
    ['|a\nb', 'yyp', 'a\n|a\nb'],
    ['a\n|b', 'yyP', 'a\n|b\nb'],
    ['|a\nb', 'Yp', 'a\n|a\nb'],
    ['|a\nb', 'ddp', 'b\n|a'],
    ['|ab', 'x3p', 'baa|a'],
    ['|abc', 'xxu', '|bc'],
    ['|abc', 'xx2u', '|abc'],
    ['|one two three', 'dw.', '|three'],
    ['|abcdef', 'x3.', '|ef'],
  ])('%j %s -> %j', (before, keys, after) => expect(normal(before, keys)).toBe(after));
});

describe('ways into INSERT', () => {
  it.each<[string, string, string]>([
    ['a|b', `ix${ESC}`, 'a|xb'],
    ['a|b', `ax${ESC}`, 'ab|x'],
    ['  a|b', `Ix${ESC}`, '  |xab'],
    ['|ab', `Ax${ESC}`, 'ab|x'],
    ['|a\nb', `ox${ESC}`, 'a\n|x\nb'],
    ['a\n|b', `Ox${ESC}`, 'a\n|x\nb'],
    ['|one two', `cwx${ESC}`, '|x two'],
    ['|one two three', `c2wx${ESC}`, '|x three'],
    ['one |two', `cbx${ESC}`, '|xtwo'],
    ['|one', `cex${ESC}`, '|x'],
    ['a|bc', `c$x${ESC}`, 'a|x'],
    ['a|bc', `Cx${ESC}`, 'a|x'],
    ['ab|c', `c0x${ESC}`, '|xc'],
    ['a\n|b\nc', `ccx${ESC}`, 'a\n|x\nc'],
    ['|a\nb\nc', `cGx${ESC}`, '|x'],
    ['|abcd', `ctcx${ESC}`, '|xcd'],
    ['|ab', `3ix${ESC}`, 'xx|xab'],
    ['|one two', `cwx${ESC}w.`, 'x |x'],
    ['|a\nb', `Ax${ESC}j.`, 'ax\nb|x'],
    ['|one two', `cwab cd${ESC}u`, '|one two'],
  ])('%j %j -> %j', (before, keys, after) => expect(normal(before, keys)).toBe(after));
});

describe('VISUAL', () => {
  it.each<[string, string, string]>([
    ['|abcd', 'vld', '|cd'],
    ['abc|d', 'vhhx', '|a'],
    ['|one two', 'vey$p', 'one twoon|e'],
    ['|one two', `vecx${ESC}`, '|x two'],
    ['a\n|b\nc', 'Vd', 'a\n|c'],
    ['|a\nb\nc', 'Vjd', '|c'],
    ['|a\nb', 'Vyjp', 'a\nb\n|a'],
    ['|abc', 'vl~', '|ABc'],
    ['|abc', 'vlU', '|ABc'],
    ['|abc', 'vlrx', '|xxc'],
    ['|abcd', 'vllohd', '|d'],
    ['a|bcd', 'vlohd', '|d'],
    ['|ab cd', 'xvp', '|a cd'],
    ['|abc', `vl${ESC}x`, 'a|c'],
    ['|abc', 'vldu', '|abc'],
  ])('%j %j -> %j', (before, keys, after) => expect(normal(before, keys)).toBe(after));
});

describe('modes', () => {
  it('starts in INSERT and switches to NORMAL with Esc', () => {
    const modes: string[] = [];
    const { type, shown, store } = typing({ vim: true, onVimMode: (mode) => modes.push(mode) });
    type('a', 'b', ESC);
    expect(shown()).toBe('a|b');
    expect(store.getState().vim?.mode).toBe('NORMAL');
    type('v', ESC, 'i');
    expect(modes).toEqual(['NORMAL', 'VISUAL', 'NORMAL', 'INSERT']);
  });

  it.each([...'gqsSJRzZQHLMmn/!?@#%&*()_-+={}[]|:"\'<> `\\', 'ä', '世', '👍'])(
    '%j types nothing in NORMAL',
    (key) => {
      const text = 'one two|';
      const before = normal(text, 'h');
      // `g`, `m` and others may want a second key: that one must not type either.
      expect(normal(text, `h${key}`).replace('|', '')).toBe(before.replace('|', ''));
      expect(normal(text, `h${key}Q${ESC}`).replace('|', '')).toBe(before.replace('|', ''));
    },
  );

  it('ignores editing keys in NORMAL', () => {
    const { type, shown } = typing({ vim: true });
    type('one two', ESC, '\x7f', '\x1b[3~', '\x17', '\x0b', '\x15', '\n', '\x1by');
    expect(shown()).toBe('one tw|o');
  });

  it('sends with Enter in NORMAL and starts again in INSERT', () => {
    const { type, sent, shown } = typing({ vim: true });
    type('hello', ESC, '\r', 'x');
    expect([sent, shown()]).toEqual([['hello'], 'x|']);
  });

  it('clears the input with Esc Esc in NORMAL', () => {
    const { type, shown, store } = typing({ vim: true });
    type('hello', ESC, ESC);
    expect(shown()).toBe('hell|o');
    type(ESC);
    expect(shown()).toBe('|');
    expect(store.getState().vim?.mode).toBe('NORMAL');
  });

  it('cancels an incomplete command with Esc', () => {
    const { type, shown } = typing({ vim: true });
    type('abc', ESC, '2', 'd', ESC, 'x');
    expect(shown()).toBe('a|b');
  });

  it('reads many characters at once as commands, not as text', () => {
    const { type, shown } = typing({ vim: true });
    type('ab', ESC, 'x'.repeat(200));
    expect(shown()).toBe('|');
  });
});

it('random keys keep the cursor on a character and can be undone', { timeout: 30_000 }, () => {
  const random = randomFrom(99);
  const keys = [
    ...'hjkl0^$wbeWBEgGfFtT;,dcyxXrpPu.~vViaIAoODCY123 a世q',
    '\x1b',
    '\x1b',
    '👍🏽',
    '\x1b[A',
    '\x1b[C',
  ];
  const start = 'one two.three\n\n  世界 👨‍👩‍👧 e\u0301nd\nlast line|';
  for (let round = 0; round < 60; round++) {
    const { type, store, advance } = typing({ vim: true, width: 30 }, start);
    store.paste('1\n2\n3\n4\n5\n6');
    type('\x1b');
    for (let step = 0; step < 60; step++) {
      type(keys[random(keys.length)] ?? '');
      const { buffer, vim } = store.getState();
      const line = buffer.lines[buffer.row];
      expect(line).toBeDefined();
      expect(snapToBoundary(line ?? '', buffer.column)).toBe(buffer.column);
      if (vim?.mode === 'NORMAL') expect(buffer.column).toBeLessThanOrEqual(lastColumn(line ?? ''));
      expect(buffer.lines.join('')).not.toMatch(/\p{Surrogate}/u);
    }
    advance(4_000);
    type('\x1b', '9', '9', '9', 'u');
    expect(store.getState().buffer.undo.length).toBe(0);
  }
});
