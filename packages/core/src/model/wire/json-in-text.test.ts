import { describe, expect, it } from 'vitest';
import { misfit } from './fits-schema.js';
import { firstObjectIn, jsonIn } from './json-in-text.js';

const values = (text: string) => jsonIn(text).map(({ value }) => value);

describe('jsonIn', () => {
  it.each([
    ['an object', ' {"a": 1}\n', [{ a: 1 }]],
    ['any other value', '"yes"', ['yes']],
    ['a fence', 'Here:\n```json\n{"a": "```"}\n```\nDone.', [{ a: '```' }]],
    ['a fence of tildes', '~~~\n[1]\n~~~', [[1]]],
    ['prose', 'The answer is {"a": {"b": "}"}}, I think.', [{ a: { b: '}' } }]],
    ['prose with other braces', 'Use {name}: {"a": "\\"}"}', [{ a: '"}' }]],
    ['two values', '{"a":1} or {"a":2}', [{ a: 1 }, { a: 2 }]],
    ['nothing', 'No.', []],
    ['nothing at all', '', []],
    ['a value that is cut off', '{"a": {"b": 1}, "c": ', []],
    ['a value that is broken', '{a: {"b": 1}}', []],
    ['a fence that never ends', '```json\n{"a": 1}', [{ a: 1 }]],
  ])('finds %s', (_name, text, found) => {
    expect(values(text)).toEqual(found);
  });

  it('keeps the text as it was written', () => {
    expect(jsonIn('So: {"n": 12345678901234567890.10}')[0]?.text).toBe('{"n": 12345678901234567890.10}');
  });

  it('reads a megabyte of brackets in one pass', () => {
    expect(values('{'.repeat(1_000_000))).toEqual([]);
    expect(values('{]'.repeat(500_000))).toEqual([]);
  });
});

describe('firstObjectIn', () => {
  it('skips values that are not objects', () => {
    expect(firstObjectIn('[1] {"a":1} {"a":2}')).toEqual({ a: 1 });
    expect(firstObjectIn('[1]')).toBeUndefined();
    expect(firstObjectIn('null')).toBeUndefined();
  });
});

describe('misfit', () => {
  const schema = {
    type: 'object',
    properties: {
      who: { type: 'string', enum: ['a', 'b'] },
      score: { type: 'integer', minimum: 1, maximum: 100 },
      list: { type: 'array', items: { type: 'string' } },
    },
    required: ['who'],
  };

  it('accepts values that fit', () => {
    expect(misfit(schema, { who: 'a', score: 100, list: ['x'], more: null })).toBeUndefined();
  });

  it.each([
    [{}, 'the answer has no "who"'],
    [{ who: 'c' }, '"who" of the answer is not one of "a", "b"'],
    [{ who: 'a', score: 1.5 }, '"score" of the answer is not of the type integer'],
    [{ who: 'a', score: 0 }, '"score" of the answer is less than 1'],
    [{ who: 'a', score: 101 }, '"score" of the answer is more than 100'],
    [{ who: 'a', list: ['x', 1] }, '"1" of "list" of the answer is not of the type string'],
    [[], 'the answer is not of the type object'],
  ])('names the problem of %j', (value, problem) => {
    expect(misfit(schema, value)).toBe(problem);
  });

  it('is not fooled by names that every object has', () => {
    expect(misfit({ required: ['toString'] }, {})).toBe('the answer has no "toString"');
    expect(misfit({ properties: {} }, JSON.parse('{"__proto__": 1, "constructor": 2}'))).toBeUndefined();
  });
});
