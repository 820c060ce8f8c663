import { describe, expect, it } from 'vitest';
import { readTool } from '../definitions.js';
import { convertMcpToolToFunctionDeclaration } from './declaration.js';
import { sanitizeSchema } from './sanitize-schema.js';

describe('The schema of a tool', () => {
  it('has no text and no size without limit: a request must have room for it', () => {
    const long = sanitizeSchema({
      properties: { a: { type: 'string', description: 'd'.repeat(1_000_000) } },
    });
    expect(JSON.stringify(long).length).toBeLessThan(10_000);
    expect(long).toMatchObject({ properties: { a: { type: 'string' } } });
    const many = Array.from({ length: 50_000 }, (_, index) => `value-${index}`);
    expect(sanitizeSchema({ properties: { a: { enum: many } } })).toEqual({ type: 'object', properties: {} });
  });

  it('keeps a cut text valid, and drops a keyword that means something else when it is cut', () => {
    const text = `${'d'.repeat(7_999)}\u{1f600}`;
    const a = { type: 'string', title: text, description: text, pattern: `^(${'x'.repeat(9_000)})$` };
    expect(sanitizeSchema({ properties: { a } }).properties).toEqual({
      a: { type: 'string', title: 'd'.repeat(7_999), description: 'd'.repeat(7_999) },
    });
  });

  it('comes with a description that is cut between two characters', () => {
    const description = `${'d'.repeat(31_999)}\u{1f600}`;
    const tool = readTool({ name: 'a', title: description, description });
    expect([tool?.title, tool?.description]).toEqual(['d'.repeat(31_999), 'd'.repeat(31_999)]);
  });

  it('loses what providers refuse, at every depth', () => {
    expect(
      sanitizeSchema({
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        additionalProperties: false,
        properties: {
          a: { type: ['string', 'null'], default: 'x' },
          b: { anyOf: [{ type: 'string' }, { type: 'number' }], default: 1 },
          c: { type: 'array', items: { type: 'object', additionalProperties: {} } },
          additionalProperties: { type: 'string' },
          d: true,
        },
        required: ['a'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', nullable: true, default: 'x' },
        b: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        c: { type: 'array', items: { type: 'object' } },
        additionalProperties: { type: 'string' },
        d: {},
      },
      required: ['a'],
    });
  });

  it('has no mark of a required property in the property itself, where an old draft has it', () => {
    const schema = sanitizeSchema({
      properties: { a: { type: 'string', required: true }, required: { type: 'number' } },
      required: 'a',
    });
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, required: { type: 'number' } },
    });
  });

  it('is written out where it refers to parts of itself', () => {
    const schema = { properties: { a: { $ref: '#/$defs/x~1y' } }, $defs: { 'x/y': { type: 'string' } } };
    expect(sanitizeSchema(schema)).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  });

  it.each([
    ['itself', { properties: { a: { $ref: '#' } } }],
    [
      'a cycle',
      {
        properties: { a: { $ref: '#/$defs/n' } },
        $defs: { n: { $ref: '#/$defs/m' }, m: { $ref: '#/$defs/n' } },
      },
    ],
    ['another document', { properties: { a: { $ref: 'https://evil.example/schema.json' } } }],
    ['nothing', { properties: { a: { $ref: '#/$defs/none' } } }],
  ])('has an empty part where it refers to %s', (_what, schema) => {
    expect(sanitizeSchema(schema)).toEqual({ type: 'object', properties: { a: {} } });
  });

  it('does not grow without end: each reference doubles the next', () => {
    const bomb: Record<string, unknown> = { n0: { type: 'string' } };
    for (let level = 1; level < 40; level++)
      bomb[`n${level}`] = {
        type: 'object',
        properties: { a: { $ref: `#/$defs/n${level - 1}` }, b: { $ref: `#/$defs/n${level - 1}` } },
      };
    const schema = sanitizeSchema({ properties: { x: { $ref: '#/$defs/n39' } }, $defs: bomb });
    expect(schema).toEqual({ type: 'object', properties: {} });
  });

  it('is an empty object where the server sent none, or one of another type', () => {
    const empty = { type: 'object', properties: {} };
    expect(sanitizeSchema({})).toEqual(empty);
    expect(sanitizeSchema({ type: 'string', properties: 7 })).toEqual(empty);
  });
});

it('A declaration has the description without control characters', () => {
  expect(convertMcpToolToFunctionDeclaration({ name: 'x', description: 'a\x1b[2Jb' })).toEqual({
    name: 'x',
    description: 'ab',
    parametersJsonSchema: { type: 'object', properties: {} },
  });
});
