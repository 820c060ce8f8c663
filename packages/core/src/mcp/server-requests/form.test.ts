import { describe, expect, it } from 'vitest';
import type { FormField, FormValue } from '../../protocol/elicitation.js';
import { checkedForm, formFieldProblem } from './check-form.js';
import { readForm } from './read-form.js';

const form = (properties: object, required: string[] = []) =>
  readForm({ type: 'object', properties, required }) as FormField[];

describe('The form of a server', () => {
  it('is read with every kind of field', () => {
    expect(
      form(
        {
          name: { type: 'string', title: 'Name', minLength: 1, format: 'email', default: 'a@b' },
          age: { type: 'integer', minimum: 0 },
          ok: { type: 'boolean', default: true },
          pet: { type: 'string', enum: ['c', 'd'], enumNames: ['Cat', 'Dog'], default: 'd' },
          hero: { type: 'string', oneOf: [{ const: 'h', title: 'Hero' }] },
          fish: {
            type: 'array',
            items: { anyOf: [{ const: 'f', title: 'Fish' }] },
            minItems: 1,
            default: ['f', 'x'],
          },
        },
        ['name'],
      ),
    ).toEqual([
      {
        name: 'name',
        title: 'Name',
        type: 'text',
        required: true,
        minLength: 1,
        format: 'email',
        initial: 'a@b',
      },
      { name: 'age', title: 'age', type: 'number', required: false, isInteger: true, minimum: 0 },
      { name: 'ok', title: 'ok', type: 'boolean', required: false, initial: true },
      {
        ...{ name: 'pet', title: 'pet', type: 'choice', required: false, initial: 'd' },
        options: [
          { value: 'c', label: 'Cat' },
          { value: 'd', label: 'Dog' },
        ],
      },
      {
        name: 'hero',
        title: 'hero',
        type: 'choice',
        required: false,
        options: [{ value: 'h', label: 'Hero' }],
      },
      {
        ...{ name: 'fish', title: 'fish', type: 'choices', required: false, minItems: 1, initial: ['f'] },
        options: [{ value: 'f', label: 'Fish' }],
      },
    ]);
  });

  it.each([
    ['no fields', {}, 'no fields'],
    ['a nested object', { properties: { a: { type: 'object', properties: {} } } }, '"a" cannot be asked for'],
    ['a choice without options', { properties: { a: { type: 'string', enum: [1] } } }, '"a" cannot be asked'],
    [
      'a thousand fields',
      { properties: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`f${n}`, {}])) },
      'more than 50',
    ],
  ])('is refused with %s', (_what, schema, problem) => expect(readForm(schema)).toContain(problem));

  it('cuts long texts and many options', () => {
    const [field] = form({
      a: { type: 'string', title: 'x'.repeat(9_000), enum: Array.from({ length: 900 }, String) },
    });
    expect(field?.title.length).toBeLessThan(2_100);
    expect(
      form({ a: { type: 'string', enum: Array.from({ length: 900 }, (_, n) => `o${n}`) } })[0],
    ).toMatchObject({
      options: { length: 200 },
    });
  });
});

describe('What the user enters', () => {
  const text = (more: object = {}): FormField => ({
    name: 'a',
    title: 'A',
    type: 'text',
    required: false,
    ...more,
  });
  const number = (more: object = {}): FormField => ({
    name: 'a',
    title: 'A',
    type: 'number',
    isInteger: false,
    required: false,
    ...more,
  });
  const options = [
    { value: 'x', label: 'X' },
    { value: 'y', label: 'Y' },
  ];

  it.each<[FormField, FormValue | undefined, string | undefined]>([
    [text(), undefined, undefined],
    [text({ required: true }), undefined, 'a value is needed'],
    [text({ minLength: 3 }), 'ab', 'at least 3'],
    [text({ maxLength: 1 }), 'ab', 'at most 1'],
    [text({ format: 'email' }), 'me', 'not an e-mail address'],
    [text({ format: 'email' }), 'me@host', undefined],
    [text({ format: 'uri' }), 'example.com', 'not an address'],
    [text({ format: 'date' }), '2026-13-01', 'write the date'],
    [text({ format: 'date-time' }), '2026-01-31T12:00:00Z', undefined],
    [number(), Number.NaN, 'not a number'],
    [number({ isInteger: true }), 1.5, 'whole number'],
    [number({ minimum: 1 }), 0, 'at least 1'],
    [number({ maximum: 1 }), 2, 'at most 1'],
    [{ name: 'a', title: 'A', type: 'boolean', required: true }, false, undefined],
    [{ name: 'a', title: 'A', type: 'choice', required: true, options }, 'z', 'choose one'],
    [{ name: 'a', title: 'A', type: 'choices', required: true, options }, [], 'at least 1'],
    [
      { name: 'a', title: 'A', type: 'choices', required: false, options, maxItems: 1 },
      ['x', 'y'],
      'at most 1',
    ],
    [{ name: 'a', title: 'A', type: 'choices', required: false, options }, ['z'], 'from the list'],
  ])('%j with %j: %s', (field, value, problem) => {
    const found = formFieldProblem(field, value);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  it('is sent without fields that the form does not have', () => {
    expect(checkedForm([text()], { a: 'v', other: 1, __proto__: 'x' })).toEqual({ a: 'v' });
    expect(checkedForm([text({ required: true })], { toString: 'x' })).toBe('A: a value is needed');
  });
});
