/** Whether a schema keeps to the part of JSON Schema that our own validator knows (`schema-validator.ts`). */
import { isObject } from '../../base/objects.js';

const TYPES: ReadonlySet<unknown> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);
const MAX_DEPTH = 32;

/** For each keyword that is known: whether its value is one that we can check. */
const KEYWORDS: Readonly<Record<string, (value: unknown, depth: number) => boolean>> = {
  type: (value) => TYPES.has(value),
  properties: (value, depth) => isObject(value) && Object.values(value).every((item) => isOwn(item, depth)),
  required: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  additionalProperties: (value, depth) => typeof value === 'boolean' || isOwn(value, depth),
  items: isOwn,
  enum: (value) => Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null),
  minimum: isNumber,
  maximum: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minLength: isNumber,
  // Annotations, which do not affect validity.
  title: () => true,
  description: () => true,
  default: () => true,
  examples: () => true,
};

const known = new WeakMap<object, boolean>();

export function isInOwnSubset(schema: object): boolean {
  let answer = known.get(schema);
  if (answer === undefined) {
    answer = isOwn(schema, 0);
    known.set(schema, answer);
  }
  return answer;
}

function isOwn(schema: unknown, depth: number): boolean {
  if (!isObject(schema) || depth > MAX_DEPTH) return false;
  return Object.entries(schema).every(
    ([keyword, value]) =>
      value === undefined || (Object.hasOwn(KEYWORDS, keyword) && KEYWORDS[keyword]?.(value, depth + 1)),
  );
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}
