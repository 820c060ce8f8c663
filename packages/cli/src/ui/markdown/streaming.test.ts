import { describe, expect, it } from 'vitest';
import { plainLook } from '../testing/plain-look.test-helper.js';
import { MarkdownDocument } from './document.js';
import { markdownLines } from './markdown.js';
import { SAMPLE } from './sample.test-helper.js';
import { splitAtSafePoint } from './split.js';

const look = plainLook(60);
const fresh = (text: string) => new MarkdownDocument(look).draw(text);

describe('A growing text', () => {
  it.each([1, 7, 20])(
    'is drawn as if it had come at once, in chunks of %i',
    (size) => {
      const document = new MarkdownDocument(look);
      for (let end = size; end < SAMPLE.length + size; end += size) {
        const text = SAMPLE.slice(0, end);
        expect(document.draw(text), JSON.stringify(text.slice(-40))).toEqual(fresh(text));
      }
    },
    60_000,
  );

  it('is lexed only at its end', () => {
    const text = `${SAMPLE}\n\n`.repeat(40).slice(0, 40_000);
    const document = new MarkdownDocument(look);
    for (let end = 20; end <= text.length; end += 20) document.draw(text.slice(0, end));
    // Lexing all of it for each of the 2,000 chunks would be 40 million characters.
    expect(document.lexedCharacters).toBeLessThan(600_000);
  });

  it.each([
    ['a paragraph', 'Words and **more** words. '],
    ['a table', '| one | two |\n'],
    ['a list item', 'and on it goes\n'],
  ])('that is %s without end is not lexed for every chunk', (name, piece) => {
    const start = name === 'a table' ? '| a | b |\n|---|---|\n' : name === 'a list item' ? '- ' : '';
    const text = start + piece.repeat(2_000).slice(0, 6_000);
    const document = new MarkdownDocument(look);
    for (let end = 20; end <= text.length; end += 20) document.draw(text.slice(0, end));
    expect(document.lexedCharacters).toBeLessThan(200_000);
    // Also what is not lexed yet is shown, once.
    const words = (all: readonly string[]) => all.join(' ').replace(/[^a-zA-Z]+/g, '');
    expect(words(document.draw(text)) === words(fresh(text))).toBe(true);
  });

  it('with an endless code block is not lexed at all', () => {
    const text = `\`\`\`\n${'some code\n'.repeat(4_000)}`;
    const document = new MarkdownDocument(look);
    for (let end = 20; end <= text.length; end += 20) document.draw(text.slice(0, end));
    expect(document.lexedCharacters).toBe(0);
    expect(document.draw(text)).toHaveLength(4_000);
  });

  it('draws code as a whole once its fence is closed, with or without a line break after it', () => {
    const code = `/* a\n${'b\n'.repeat(1_500)}*/`;
    for (const end of ['```', '```\n', '```\n\nmore']) {
      const document = new MarkdownDocument(look);
      document.draw(`\`\`\`js\n${code}\n`);
      document.draw(`\`\`\`js\n${code}\n\`\``);
      const text = `\`\`\`js\n${code}\n${end}`;
      expect(document.draw(text)).toEqual(fresh(text));
      expect(document.lexedCharacters).toBeGreaterThan(0);
    }
  });

  it('may be replaced by another text at any time', () => {
    expect(markdownLines('# one', look)).toEqual(['one']);
    expect(markdownLines('# one two', look)).toEqual(['one two']);
    expect(markdownLines('- three', look)).toEqual(['• three']);
    expect(markdownLines('# on', look)).toEqual(['on']);
  });
});

describe('splitAtSafePoint', () => {
  it.each<[string, string, string]>([
    ['after a blank line', 'one\n\ntwo\n', 'one\n\n'],
    ['at the last of several', 'one\n\ntwo\n\nthree\n', 'one\n\ntwo\n\n'],
    ['not before the line is complete', 'one\n\ntwo', ''],
    ['not inside of code', 'one\n\n```\na\n\nb\n', 'one\n\n'],
    ['after code', '```\na\n\nb\n```\n\nc\n', '```\na\n\nb\n```\n\n'],
    ['not inside of a list', 'x\n\n- a\n\n- b\n\n  more\n', 'x\n\n'],
    ['after a list', '- a\n\n- b\n\ntext\n', '- a\n\n- b\n\n'],
    ['not inside of a table', '| a |\n|---|\n| b |\n', ''],
    ['nowhere', 'one\ntwo\n', ''],
    ['not in code of a list', '- a\n  ```\n  x\n\n  y\n', ''],
  ])('splits %s', (_name, text, head) => {
    expect(text.slice(0, splitAtSafePoint(text))).toBe(head);
  });

  it('splits so that both parts together look like the whole', () => {
    let settled: string[] = [];
    let tail = '';
    for (let start = 0; start < SAMPLE.length; start += 7) {
      tail += SAMPLE.slice(start, start + 7);
      const at = splitAtSafePoint(tail);
      if (at === 0) continue;
      settled = [...settled, ...markdownLines(tail.slice(0, at), look), ''];
      tail = tail.slice(at);
    }
    expect([...settled, ...markdownLines(tail, look)]).toEqual(fresh(SAMPLE));
  });
});
