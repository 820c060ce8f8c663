/**
 * Checks tool arguments against the subset of JSON Schema that the built-in tools declare. Written by
 * hand because a general validator costs 70 ms at the first tool call; a test compares it with ajv.
 * What is outside of the subset is left to ajv (`foreign-schema/`).
 */
import { isObject } from '../base/objects.js';
import type { JsonSchema } from '../protocol/tool-declaration.js';
import { checkForeignArguments } from './foreign-schema/check-arguments.js';
import { isInOwnSubset } from './foreign-schema/own-subset.js';

export type { JsonSchema };

export const SchemaValidator = {
  /**
   * Null when `value` fits, else a sentence naming the path that failed and what was expected.
   * @param isForeign the schema was not written by us; else that is found out by its keywords
   */
  validate(schema: JsonSchema, value: unknown, isForeign = false): string | null {
    if (isForeign || !isInOwnSubset(schema)) return checkForeignArguments(schema, value);
    return check(schema, value, 'params');
  },
};

function check(schema: JsonSchema, value: unknown, path: string): string | null {
  if (schema.type && !hasType(schema.type, value)) {
    return `${path} must be ${article(schema.type)}, got ${typeName(value)}`;
  }
  if (schema.enum && !schema.enum.includes(value)) {
    return `${path} must be one of ${schema.enum.map((item) => JSON.stringify(item)).join(', ')}`;
  }
  if (typeof value === 'number') return checkNumber(schema, value, path);
  if (typeof value === 'string') return checkString(schema, value, path);
  if (Array.isArray(value)) return checkArray(schema, value, path);
  if (typeof value === 'object' && value !== null) return checkObject(schema, value, path);
  return null;
}

function checkNumber(schema: JsonSchema, value: number, path: string): string | null {
  if (schema.minimum !== undefined && value < schema.minimum) return `${path} must be >= ${schema.minimum}`;
  if (schema.maximum !== undefined && value > schema.maximum) return `${path} must be <= ${schema.maximum}`;
  return null;
}

function checkString(schema: JsonSchema, value: string, path: string): string | null {
  if (schema.minLength !== undefined && [...value].length < schema.minLength) {
    return schema.minLength === 1
      ? `${path} must be non-empty`
      : `${path} must have at least ${schema.minLength} characters`;
  }
  return null;
}

function checkArray(schema: JsonSchema, value: unknown[], path: string): string | null {
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    return `${path} must have at least ${schema.minItems} item(s)`;
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    return `${path} must have at most ${schema.maxItems} item(s)`;
  }
  if (!schema.items) return null;
  for (let index = 0; index < value.length; index++) {
    const problem = check(schema.items, value[index], `${path}[${index}]`);
    if (problem) return problem;
  }
  return null;
}

function checkObject(schema: JsonSchema, value: object, path: string): string | null {
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key) || (value as Record<string, unknown>)[key] === undefined) {
      return `${path} must have required property '${key}'`;
    }
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const property =
      schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (property) {
      const problem = check(property, item, `${path}.${key}`);
      if (problem) return problem;
    } else if (schema.additionalProperties === false) {
      return `${path} must not have the property '${key}'`;
    } else if (typeof schema.additionalProperties === 'object') {
      const problem = check(schema.additionalProperties, item, `${path}.${key}`);
      if (problem) return problem;
    }
  }
  return null;
}

function hasType(type: NonNullable<JsonSchema['type']>, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
