import { describe, expect, it } from 'vitest';
import type { Look } from '../look.js';
import { plainLook } from '../testing/plain-look.test-helper.js';
import { typing } from './composer.test-helper.js';
import { type ComposerLook, composerLines } from './composer-lines.js';
import type { ComposerBox } from './composer-state.js';
import { widthOf } from './graphemes.js';

const PLACEHOLDER = 'Type your message or @path/to/file';

function drawn(text: string, width: number, box: ComposerBox, more: Partial<ComposerLook> = {}) {
  const { store } = typing({ width, box }, text);
  const look = more.look ?? tinted(width);
  const options = { width, maxRows: 5, look, prefix: '>', placeholder: PLACEHOLDER, box, ...more };
  return { ...composerLines(store.getState(), options), store };
}

function tinted(width: number): Look {
  const plain = plainLook(width);
  return { ...plain, theme: { ...plain.theme, background: { ...plain.theme.background, input: '#222' } } };
}

describe('The box', () => {
  it('is drawn with half blocks on a tint', () => {
    const { lines, cursor } = drawn('|', 40, 'tint');
    expect(lines).toEqual(['▄'.repeat(40), ' >  Type your message or @path/to/file  ', '▀'.repeat(40)]);
    expect(cursor).toEqual({ row: 1, column: 3 });
  });

  it('has a round border when there is no tint', () => {
    const { lines, cursor } = drawn('hello|', 20, 'border');
    expect(lines).toEqual(['╭──────────────────╮', '│ > hello          │', '╰──────────────────╯']);
    expect(cursor).toEqual({ row: 1, column: 9 });
    expect(drawn('hello|', 20, 'tint', { look: plainLook(20) }).lines).toEqual(lines);
  });

  it('is plain lines for a screen reader', () => {
    const look = { ...plainLook(40), screenReader: true };
    expect(drawn('hello|', 40, 'tint', { look }).lines).toEqual(['> hello ']);
  });

  it('shows the placeholder after two blanks', () => {
    for (const box of ['tint', 'border', 'none'] as const) {
      expect(drawn('|', 60, box).lines.join('\n')).toContain(`  ${PLACEHOLDER}`);
    }
  });

  it('indents wrapped rows to the text', () => {
    expect(drawn('one two three four five|', 20, 'border').lines).toEqual([
      '╭──────────────────╮',
      '│ > one two three  │',
      '│   four five      │',
      '╰──────────────────╯',
    ]);
  });

  it.each([5, 10, 20, 40, 80, 200])('fits %i columns exactly, whatever is typed', (width) => {
    const texts = [
      '|',
      'hello|',
      '世界你好'.repeat(20),
      '👨‍👩‍👧👍🏽🇩🇪'.repeat(10),
      'e\u0301'.repeat(100),
      'one two three '.repeat(12),
      'a\n\nb\tc\n|d',
      'x'.repeat(300),
      '\u202eevil\u200b',
    ];
    for (const text of texts) {
      for (const box of ['tint', 'border'] as const) {
        const { lines, cursor } = drawn(text.includes('|') ? text : `${text}|`, width, box);
        // A tab and the box itself want as much.
        if (width >= 10) expect(lines.map(widthOf)).toEqual(lines.map(() => width));
        expect(lines.length).toBeLessThanOrEqual(7);
        expect(cursor.column).toBeLessThan(width);
        expect(cursor.row).toBeLessThan(lines.length);
      }
    }
  });

  it('never draws a character that would move others on the terminal', () => {
    const { lines } = drawn('a\u202eb\u2066c|', 40, 'border');
    expect(lines[1]).toContain('a·b·c');
  });
});

describe('scrolling', () => {
  const ten = Array.from({ length: 10 }, (_, line) => `line ${line}`).join('\n');

  it('shows the rows around the cursor', () => {
    const { lines, cursor } = drawn(`${ten}|`, 20, 'none');
    expect(lines).toEqual(['  line 5', '  line 6', '  line 7', '  line 8', '  line 9 ']);
    expect(cursor).toEqual({ row: 4, column: 8 });
  });

  it('moves only when the cursor leaves the visible rows', () => {
    const { store, type } = typing({ width: 20, box: 'none', maxRows: 5 }, `${ten}|`);
    const look = { look: plainLook(20), width: 20, maxRows: 5, prefix: '>', placeholder: '' };
    type('\x1b[A', '\x1b[A');
    expect(composerLines(store.getState(), look).lines[0]).toBe('  line 5');
    expect(composerLines(store.getState(), look).cursor.row).toBe(2);
    type('\x1b[A', '\x1b[A', '\x1b[A');
    expect(composerLines(store.getState(), look).lines[0]).toBe('  line 4 ');
  });
});

describe('styles', () => {
  /** `<style:text>` for everything that is inverse or bold. */
  const marking: Look = {
    ...plainLook(40),
    paint: (text, { inverse, bold }) =>
      inverse || bold ? `<${inverse ? 'i' : ''}${bold ? 'b' : ''}:${text}>` : text,
  };
  const row = (text: string, more: Partial<ComposerLook> = {}) =>
    drawn(text, 40, 'none', { look: marking, ...more }).lines[0];

  it('marks the cursor on its whole character', () => {
    expect(row('a|b')).toBe('> a<i:b>');
    expect(row('a|👨‍👩‍👧b')).toBe('> a<i:👨‍👩‍👧>b');
    expect(row('a|')).toBe('> a<i: >');
    expect(row('|')).toBe('> <i: >Type your message or @path/to/file');
    expect(row('a|b', { isFocused: false })).toBe('> ab');
  });

  it('highlights labels', () => {
    const { store } = typing({ width: 60, box: 'none' });
    store.paste('1\n2\n3\n4\n5\n6');
    const options = { width: 60, maxRows: 5, look: marking, prefix: '>', placeholder: '', isFocused: false };
    expect(composerLines(store.getState(), options).lines[0]).toBe('> <b:[Pasted Text: 6 lines]>');
  });

  it('highlights the vim selection', () => {
    const { store, type } = typing({ width: 60, box: 'none', vim: true });
    type('one two', '\x1b', '0', 'v', 'e');
    const options = { width: 60, maxRows: 5, look: marking, prefix: '>', placeholder: '', isFocused: false };
    expect(composerLines(store.getState(), options).lines[0]).toBe('> <i:one> two');
  });

  it('draws the completion that Tab would insert', () => {
    expect(row('he|', { ghost: 'llo' })).toBe('> he<i:l>lo');
  });

  it('shows the search prefix during a search', () => {
    const { store, type } = typing({ width: 60, box: 'none' });
    type('\x12', 'fix');
    const options = { width: 60, maxRows: 5, look: plainLook(60), prefix: '>', placeholder: '' };
    expect(composerLines(store.getState(), options).lines[0]).toBe('(r:) fix ');
  });
});

it('draws typed text as one run at each key', () => {
  const { store, type } = typing({ width: 60, box: 'tint' });
  let typed = '';
  for (const letter of 'explain this') {
    type(letter);
    typed += letter;
    const { lines } = composerLines(store.getState(), {
      width: 60,
      maxRows: 5,
      look: tinted(60),
      prefix: '>',
      placeholder: PLACEHOLDER,
    });
    expect(lines[1]).toContain(`> ${typed}`);
  }
});
