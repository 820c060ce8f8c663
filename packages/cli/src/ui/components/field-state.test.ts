import { describe, expect, it } from 'vitest';
import { key } from '../testing/keys.test-helper.js';
import { fieldKey, fieldOf, insertText, textOf } from './field-state.js';

describe('a text field', () => {
  const after = (text: string, ...chords: string[]) =>
    chords.reduce((state, chord) => fieldKey(state, key(chord)) ?? state, fieldOf(text));

  it('edits by characters and words as one sees them', () => {
    expect(textOf(after('a👨‍👩‍👧b', 'left', 'backspace'))).toBe('ab');
    expect(textOf(after('one two three', 'ctrl+w', 'alt+b', 'ctrl+k'))).toBe('one ');
    expect(textOf(after('one two', 'home', 'alt+d', 'delete', 'x'))).toBe('xtwo');
    expect(textOf(after('日本', 'ctrl+a', 'ctrl+d'))).toBe('本');
  });

  it('takes pasted text as one line without commands for the terminal', () => {
    expect(textOf(insertText(fieldOf(''), 'a\r\nb\x1b[2J\tc'))).toBe('a b[2J c');
    expect(textOf(insertText(fieldOf(''), 'x'.repeat(1_000_000))).length).toBe(10_000);
  });

  it('leaves Ctrl+D on nothing to the app', () => {
    expect(fieldKey(fieldOf(''), key('ctrl+d'))).toBeUndefined();
  });
});
