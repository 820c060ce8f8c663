import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type JsonSchema, SchemaValidator } from './schema-validator.js';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    ratio: { type: 'number' },
    flag: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
    mode: { type: 'string', enum: ['a', 'b'] },
    inner: {
      type: 'object',
      properties: { deep: { type: 'boolean' } },
      required: ['deep'],
      additionalProperties: false,
    },
    env: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['path'],
};

/** Good and bad values for each property; all pairs are tried, and each alone. */
const candidates: Record<string, unknown[]> = {
  path: ['a', '', 1, null, undefined, 'ü'],
  count: [1, 9, 0, 10, 1.5, '3', null],
  ratio: [0.5, -1, 'x', true],
  flag: [true, false, 0, 'true'],
  names: [['a'], [], ['a', 'b', 'c', 'd'], [1], 'a', {}],
  mode: ['a', 'c', 7],
  inner: [{ deep: true }, {}, { deep: 1 }, { deep: true, more: 1 }, [], 'x'],
  env: [{}, { A: 'b' }, { A: 1 }],
};

describe('SchemaValidator', () => {
  it('agrees with ajv on every combination of two properties', () => {
    const ajv = new Ajv2020({ strict: false }).compile(schema);
    let compared = 0;
    for (const [first, firstValues] of Object.entries(candidates)) {
      for (const [second, secondValues] of Object.entries(candidates)) {
        for (const a of firstValues) {
          for (const b of secondValues) {
            const value = { path: 'x', [first]: a, [second]: b };
            const expected = ajv(JSON.parse(JSON.stringify(value)));
            expect(
              SchemaValidator.validate(schema, JSON.parse(JSON.stringify(value))) === null,
              JSON.stringify(value),
            ).toBe(expected);
            compared++;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(1000);
  });

  it.each([
    [{}, "params must have required property 'path'"],
    [{ path: '' }, 'params.path must be non-empty'],
    [{ path: 'x', count: 'two' }, 'params.count must be an integer, got string'],
    [{ path: 'x', names: ['a', 2] }, 'params.names[1] must be a string, got number'],
    [{ path: 'x', inner: {} }, "params.inner must have required property 'deep'"],
    [{ path: 'x', mode: 'z' }, 'params.mode must be one of "a", "b"'],
    ['text', 'params must be an object, got string'],
  ])('names the path that failed in %j', (value, message) => {
    expect(SchemaValidator.validate(schema, value)).toBe(message);
  });
});
