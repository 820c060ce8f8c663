import { describe, expect, it } from 'vitest';
import { parseAtReferences } from './at-parse.js';

/** Text as it is, references in angle brackets. */
function parse(prompt: string, keepEscapes = false): string {
  return parseAtReferences(prompt, { keepEscapes })
    .map((segment) => (segment.kind === 'text' ? segment.text : `<${segment.path}>`))
    .join('');
}

describe('parseAtReferences', () => {
  it.each([
    ['explain @a.txt', 'explain <a.txt>'],
    ['@a.txt', '<a.txt>'],
    [
      'see @a.txt, @b/c.ts; and (@d) [@e] {@f}! @g? end',
      'see <a.txt>, <b/c.ts>; and (<d>) [<e>] {<f>}! <g>? end',
    ],
    ['line\n@a\tx', 'line\n<a>\tx'],
    ['look at @a.txt.', 'look at <a.txt>.'],
    ['look at @a.txt. Then', 'look at <a.txt>. Then'],
    ['look at @a.txt...', 'look at <a.txt>...'],
    ['@.', '<.>'],
    ['@. and @.. and @../.. and @./src.', '<.> and <..> and <../..> and <./src>.'],
    ['@.gitignore', '<.gitignore>'],
    ['@My\\ Docs/a\\,b.txt now', '<My Docs/a,b.txt> now'],
    ['@"My Docs/a b.txt" now', '<My Docs/a b.txt> now'],
    ['@dir/"a b".txt now', '<dir/a b.txt> now'],
    ['say "@a.txt" and \'@b.txt\'', 'say "<a.txt>" and \'<b.txt>\''],
    ['@"open', '@"open'],
    ['@päth/日本.txt', '<päth/日本.txt>'],
    ['@a@b', '<a@b>'],
  ])('finds the references of %j', (prompt, expected) => {
    expect(parse(prompt)).toBe(expected);
  });

  it.each(['me@host.com', 'a lone @ sign', '@', 'x@y', '`@code`', '@,', 'git@github.com:a/b', ''])(
    'finds no reference in %j',
    (prompt) => {
      expect(parse(prompt)).toBe(prompt);
    },
  );

  it('unescapes an escaped @ in typed text only', () => {
    expect(parse('mail \\@a.txt and C:\\x')).toBe('mail @a.txt and C:\\x');
    expect(parse('mail \\@a.txt', true)).toBe('mail \\@a.txt');
    expect(parse('\\\\@a.txt')).toBe('\\\\@a.txt');
    expect(parse('end\\')).toBe('end\\');
  });

  it('keeps the typed form beside the path', () => {
    expect(parseAtReferences('x @"a b" y', { keepEscapes: false })).toEqual([
      { kind: 'text', text: 'x ' },
      { kind: 'reference', path: 'a b', raw: '@"a b"' },
      { kind: 'text', text: ' y' },
    ]);
  });
});
