import { describe, expect, it } from 'vitest';
import { EDIT_COMMANDS, EDITS } from './edit-commands.js';
import { snapToBoundary } from './graphemes.js';
import { randomFrom } from './random.test-helper.js';
import {
  bufferOf,
  cleanText,
  EMPTY_BUFFER,
  fullTextOf,
  insertText,
  moveTo,
  offsetOf,
  pasteText,
  positionOfOffset,
  redo,
  type TextBuffer,
  textOf,
  toggleFold,
  undo,
} from './text-buffer.js';

const COLUMNS = 20;
/** `|` is the cursor. */
const at = (text: string): TextBuffer => {
  const cursor = text.indexOf('|');
  const buffer = bufferOf(text.replace('|', ''));
  return moveTo(buffer, positionOfOffset(buffer, cursor));
};
const shown = (buffer: TextBuffer): string => {
  const text = textOf(buffer);
  const cursor = offsetOf(buffer, buffer);
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
};

describe('editing commands', () => {
  it.each<[keyof typeof EDITS, string, string]>([
    ['cursor.left', 'a|b', '|ab'],
    ['cursor.left', 'a\n|b', 'a|\nb'],
    ['cursor.left', '|a', '|a'],
    ['cursor.left', 'x👨‍👩‍👧|y', 'x|👨‍👩‍👧y'],
    ['cursor.left', 'e\u0301|', '|e\u0301'],
    ['cursor.right', '|🇩🇪x', '🇩🇪|x'],
    ['cursor.right', 'a|\nb', 'a\n|b'],
    ['cursor.right', 'a|', 'a|'],
    ['cursor.home', 'x\nab|c', 'x\n|abc'],
    ['cursor.end', 'a|bc\nx', 'abc|\nx'],
    ['cursor.wordLeft', 'one two| three', 'one |two three'],
    ['cursor.wordLeft', 'one two |three', 'one |two three'],
    ['cursor.wordLeft', 'a\n|b', 'a|\nb'],
    ['cursor.wordRight', '|one two', 'one| two'],
    ['cursor.wordRight', 'one| two', 'one two|'],
    ['cursor.wordRight', 'foo|.bar_baz qux', 'foo.bar_baz| qux'],
    ['cursor.wordRight', '|世界你好', '世界|你好'],
    ['cursor.wordLeft', '世界你好|', '世界|你好'],
    ['cursor.wordRight', '|ภาษาไทย', 'ภาษา|ไทย'],
    ['edit.deleteLeft', 'a👍🏽|b', 'a|b'],
    ['edit.deleteLeft', 'a\n|b', 'a|b'],
    ['edit.deleteRight', 'a|\nb', 'a|b'],
    ['edit.deleteRight', '|👨‍👩‍👧x', '|x'],
    ['edit.deleteWordLeft', 'one two|', 'one |'],
    ['edit.deleteWordRight', 'one| two', 'one|'],
    ['edit.deleteLeftAll', 'x\nab|c', 'x\n|c'],
    ['edit.deleteLeftAll', 'x\n|c', 'x|c'],
    ['edit.deleteRightAll', 'a|bc\nx', 'a|\nx'],
    ['edit.deleteRightAll', 'a|\nx', 'a|x'],
    ['input.newline', 'a|b', 'a\n|b'],
    ['cursor.up', 'abc\nxy|z', 'ab|c\nxyz'],
    ['cursor.down', 'abc|\nx', 'abc\nx|'],
    ['cursor.up', 'a|', 'a|'],
    ['cursor.down', '世界|\n世a界', '世界\n世a|界'],
    ['cursor.down', '0123456789 123456789 tail|', '0123456789 123456789 tail|'],
    ['cursor.up', '0123456789 123456789 ta|il', '01|23456789 123456789 tail'],
  ])('%s: %j -> %j', (command, before, after) => {
    expect(shown(EDITS[command](at(before), COLUMNS))).toBe(after);
  });

  it('keeps the column over shorter lines', () => {
    const down = EDITS['cursor.down'](at('abcdef|\nx\nabcdefg'), COLUMNS);
    expect(shown(EDITS['cursor.down'](down, COLUMNS))).toBe('abcdef\nx\nabcdef|g');
  });
});

describe('undo', () => {
  it('reverts words, not letters', () => {
    let buffer = EMPTY_BUFFER;
    for (const letter of 'one two') buffer = insertText(buffer, letter);
    expect(textOf(undo(buffer))).toBe('one ');
    expect(textOf(undo(undo(buffer)))).toBe('');
    expect(textOf(redo(redo(undo(undo(buffer)))))).toBe('one two');
    expect(undo(EMPTY_BUFFER)).toBe(EMPTY_BUFFER);
  });

  it('clears the redo steps after a change', () => {
    const buffer = insertText(undo(insertText(bufferOf('a'), 'b')), 'c');
    expect(textOf(redo(buffer))).toBe('ac');
  });

  it('never keeps more than 200 steps', () => {
    let buffer = EMPTY_BUFFER;
    for (let step = 0; step < 500; step++) buffer = insertText(buffer, '\n');
    expect(buffer.undo.length).toBe(200);
  });
});

describe('the kill ring', () => {
  it('joins consecutive cuts and inserts them, older ones on repeat', () => {
    let buffer = EDITS['edit.deleteWordLeft'](bufferOf('one two three'), COLUMNS);
    buffer = EDITS['edit.deleteWordLeft'](buffer, COLUMNS);
    expect(buffer.kills).toEqual(['two three']);
    buffer = EDITS['edit.deleteLeftAll'](EDITS['cursor.end'](buffer, COLUMNS), COLUMNS);
    expect(buffer.kills).toEqual(['one ', 'two three']);
    const yanked = EDITS['edit.yank'](buffer, COLUMNS);
    expect(textOf(yanked)).toBe('one ');
    expect(shown(EDITS['edit.yank'](yanked, COLUMNS))).toBe('two three|');
    expect(textOf(EDITS['edit.yank'](EDITS['edit.yank'](yanked, COLUMNS), COLUMNS))).toBe('one ');
  });
});

describe('long pastes', () => {
  const six = 'a\nb\nc\nd\ne\nf';

  it.each([
    ['five lines stay', 'a\nb\nc\nd\ne', 'a\nb\nc\nd\ne'],
    ['six do not', six, '[Pasted Text: 6 lines]'],
    ['nor do six that end with a newline', `${six}\n`, '[Pasted Text: 6 lines]'],
    ['500 characters stay', 'x'.repeat(500), 'x'.repeat(500)],
    ['501 do not', 'x'.repeat(501), '[Pasted Text: 501 chars]'],
  ])('%s', (_, text, expected) => {
    expect(textOf(pasteText(EMPTY_BUFFER, text))).toBe(expected);
    expect(fullTextOf(pasteText(EMPTY_BUFFER, text))).toBe(text);
  });

  it('numbers equal labels', () => {
    const buffer = pasteText(insertText(pasteText(EMPTY_BUFFER, six), ' '), six.replace('a', 'A'));
    expect(textOf(buffer)).toBe('[Pasted Text: 6 lines] [Pasted Text: 6 lines #2]');
    expect(fullTextOf(buffer)).toBe(`${six} ${six.replace('a', 'A')}`);
  });

  it('does not look for labels in pasted text', () => {
    const tricky = `${six}\n[Pasted Text: 6 lines]`;
    const buffer = pasteText(pasteText(EMPTY_BUFFER, six), tricky);
    expect(fullTextOf(buffer)).toBe(six + tricky);
  });

  it('moves over and deletes a label as one character', () => {
    const buffer = insertText(pasteText(insertText(EMPTY_BUFFER, 'x'), six), 'y');
    const before = EDITS['cursor.left'](EDITS['cursor.left'](buffer, COLUMNS), COLUMNS);
    expect(shown(before)).toBe('x|[Pasted Text: 6 lines]y');
    const gone = EDITS['edit.deleteRight'](before, COLUMNS);
    expect(textOf(gone)).toBe('xy');
    expect(gone.folded.hidden.size).toBe(0);
    expect(fullTextOf(undo(gone))).toBe(`x${six}y`);
    expect(shown(moveTo(buffer, { row: 0, column: 5 }, 'start'))).toBe('x|[Pasted Text: 6 lines]y');
  });

  it('opens and closes a label', () => {
    const folded = pasteText(insertText(EMPTY_BUFFER, 'x '), six);
    const opened = toggleFold(folded);
    expect(opened && textOf(opened)).toBe(`x ${six}`);
    const closed = opened && toggleFold(opened);
    expect(closed && textOf(closed)).toBe('x [Pasted Text: 6 lines]');
    expect(closed && fullTextOf(closed)).toBe(`x ${six}`);
    expect(toggleFold(bufferOf('plain'))).toBeUndefined();
    // Changed text is the user's own.
    expect(opened && toggleFold(EDITS['edit.deleteLeft'](opened, COLUMNS))).toBeUndefined();
  });
});

it('cleanText strips control characters, keeps tabs and normalizes line ends', () => {
  expect(cleanText('a\r\nb\rc\x1b[31m\x07\x00\td\x9b\ud800e')).toBe('a\nb\nc[31m\tde');
});

/** Where the last character before a place begins. */
function lastStart(text: string, before: number): number {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text);
  return [...segments].findLast(({ index }) => index < before)?.index ?? 0;
}

it('the buffer agrees with a plain string after random edits; undo and redo restore each state exactly', () => {
  const random = randomFrom(42);
  const words = [
    'a',
    ' ',
    'wort',
    '\n',
    '世界',
    '👨‍👩‍👧',
    'e',
    '\u0301',
    '🇩',
    '🇪',
    '\t',
    '\u200d',
    'x\ny',
    'ภ',
    '👍🏽',
  ];
  for (let round = 0; round < 60; round++) {
    let buffer = EMPTY_BUFFER;
    const past: string[] = [];
    for (let step = 0; step < 60; step++) {
      const before = buffer;
      const text = textOf(before);
      const cursor = offsetOf(before, before);
      const choice = random(10);
      if (choice < 5) {
        const word = words[random(words.length)] ?? '';
        buffer = insertText(before, word);
        expect(textOf(buffer)).toBe(text.slice(0, cursor) + word + text.slice(cursor));
      } else if (choice < 9) {
        const command = EDIT_COMMANDS[random(EDIT_COMMANDS.length)] ?? 'cursor.left';
        buffer = EDITS[command](before, 7);
        if (command.startsWith('cursor.')) expect(textOf(buffer)).toBe(text);
        if (command === 'edit.deleteLeft')
          expect(textOf(buffer)).toBe(text.slice(0, lastStart(text, cursor)) + text.slice(cursor));
      } else {
        buffer = moveTo(before, positionOfOffset(before, random(text.length + 1)));
      }
      // Always between two characters of the user's.
      const line = buffer.lines[buffer.row] ?? '';
      expect(snapToBoundary(line, buffer.column)).toBe(buffer.column);
      expect(textOf(buffer)).not.toMatch(/\p{Surrogate}/u);
      past.push(textOf(buffer));
    }
    const last = textOf(buffer);
    const seen = [last];
    let back = buffer;
    while (back.undo.length > 0) {
      back = undo(back);
      expect(past.includes(textOf(back)) || textOf(back) === '').toBe(true);
      seen.push(textOf(back));
    }
    for (const expected of seen.reverse().slice(1)) {
      back = redo(back);
      expect(textOf(back)).toBe(expected);
    }
  }
});
