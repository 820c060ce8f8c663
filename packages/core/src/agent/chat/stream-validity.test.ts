import { expect, it } from 'vitest';
import { findStreamProblem } from './stream-validity.js';

const problemOf = (...texts: string[]) =>
  findStreamProblem({
    parts: texts.map((text) => ({ text })),
    finishReason: 'STOP',
    sawThought: false,
    afterToolResponse: false,
  });

it.each([
  ['nothing', ''],
  ['blanks and letters without width', ' \n\u200b\u2060\ufeff'],
  ['a comment', '<!-- one -->\n<!---->'],
])('does not accept %s as an answer', (_name, text) => {
  expect(problemOf(text)).toBe('NO_RESPONSE_TEXT');
});

it.each([
  ['text after a comment', '<!-- one -->x<!-- two -->'],
  ['a comment without an end', '<!-- one'],
])('accepts %s as an answer', (_name, text) => {
  expect(problemOf(text)).toBeUndefined();
});

it('recognises a comment that comes in pieces', () => {
  expect(problemOf('<!-- o', 'ne -', '->')).toBe('NO_RESPONSE_TEXT');
});

it('reads a million unclosed comments in no time', () => {
  expect(problemOf('<!--'.repeat(1_000_000))).toBeUndefined();
});

it('rejects endlessly nested arguments of a call', () => {
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  const problemWith = (levels: number) =>
    findStreamProblem({
      parts: [{ functionCall: { name: 'look', args: { list: nested(levels) } } }],
      finishReason: 'STOP',
      sawThought: false,
      afterToolResponse: false,
    });
  expect(problemWith(100)).toBeUndefined();
  expect(problemWith(100_000)).toBe('MALFORMED_FUNCTION_CALL');
});

it('rejects parts that only users send', () => {
  const parts = [{ functionResponse: { name: 'look', response: {} } }];
  const stream = { parts, finishReason: 'STOP', sawThought: false, afterToolResponse: false };
  expect(findStreamProblem(stream)).toBe('NO_RESPONSE_TEXT');
  const image = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }];
  expect(findStreamProblem({ ...stream, parts: image })).toBeUndefined();
});
