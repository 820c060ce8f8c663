/** Checks of plain data that report every mistake at once, each with its cure. */
import { isObject } from '../../base/objects.js';
import type { FieldIssue } from './issue.js';

/** @param field path of the value, for messages */
export type Check = (value: unknown, field: string) => FieldIssue[];

export function text({ nonEmpty = false } = {}): Check {
  return (value, field) => {
    if (typeof value !== 'string') return [wrongType('string', value, field)];
    if (!nonEmpty || value.trim() !== '') return [];
    return [{ field, message: 'String must contain at least 1 character(s)', cure: `Write a text for it.` }];
  };
}

/** A text of a certain form. */
export function matching(pattern: RegExp, message: string, cure: string): Check {
  return (value, field) => {
    const wrong = text({ nonEmpty: true })(value, field);
    return wrong.length > 0 || pattern.test(String(value)) ? wrong : [{ field, message, cure }];
  };
}

export function oneOf(...values: readonly string[]): Check {
  const names = values.map((value) => `'${value}'`).join(' | ');
  return (value, field) => {
    if (typeof value !== 'string') return [wrongType('string', value, field)];
    if (values.includes(value)) return [];
    const message =
      values.length === 1
        ? `Invalid literal value, expected "${values[0]}"`
        : `Invalid enum value. Expected ${names}, received '${value.slice(0, 60)}'`;
    return [{ field, message, cure: `Write one of: ${values.join(', ')}.` }];
  };
}

export function flag(): Check {
  return (value, field) => (typeof value === 'boolean' ? [] : [wrongType('boolean', value, field)]);
}

export interface Range {
  minimum?: number;
  maximum?: number;
  /** A whole number above 0. */
  positiveInteger?: boolean;
}

export function number({ minimum, maximum, positiveInteger = false }: Range = {}): Check {
  return (value, field) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return [wrongType('number', value, field)];
    const messages: string[] = [];
    if (positiveInteger && !Number.isInteger(value)) messages.push('Expected integer, received float');
    if (positiveInteger && value <= 0) messages.push('Number must be greater than 0');
    if (minimum !== undefined && value < minimum)
      messages.push(`Number must be greater than or equal to ${minimum}`);
    if (maximum !== undefined && value > maximum)
      messages.push(`Number must be less than or equal to ${maximum}`);
    const range = positiveInteger ? 'a whole number above 0' : `a number from ${minimum} to ${maximum}`;
    return messages.map((message) => ({ field, message, cure: `Write ${range}.` }));
  };
}

export function list(item: Check): Check {
  return (value, field) =>
    Array.isArray(value)
      ? value.flatMap((entry: unknown, index) => item(entry, `${field}.${index}`))
      : [wrongType('array', value, field)];
}

export function mapOf(item: Check): Check {
  return (value, field) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, entry]) => item(entry, `${field}.${key}`))
      : [wrongType('object', value, field)];
}

export interface ObjectShape {
  required?: readonly string[];
  /** What to write for a missing key. */
  examples?: Readonly<Record<string, string>>;
  /** Keys of other programs, and what to write instead. */
  instead?: Readonly<Record<string, string>>;
}

/** Strict: other keys are mistakes. */
export function objectWith(
  fields: Readonly<Record<string, Check>>,
  { required = [], examples = {}, instead = {} }: ObjectShape = {},
): Check {
  return (value, field) => {
    if (!isObject(value)) return [wrongType('object', value, field)];
    const inner = (key: string) => (field === '' ? key : `${field}.${key}`);
    const issues = Object.entries(fields).flatMap(([key, check]) => {
      if (Object.hasOwn(value, key) && value[key] !== undefined) return check(value[key], inner(key));
      if (!required.includes(key)) return [];
      return [
        { field: inner(key), message: 'Required', cure: `Add a line "${key}: ${examples[key] ?? '…'}".` },
      ];
    });
    const unknown = Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
    return unknown.length === 0 ? issues : [...issues, unrecognized(unknown, field, instead)];
  };
}

function unrecognized(
  keys: readonly string[],
  field: string,
  instead: Readonly<Record<string, string>>,
): FieldIssue {
  const quoted = (names: readonly string[]) => names.map((name) => `'${name.slice(0, 60)}'`).join(', ');
  const renamed = keys.filter((key) => Object.hasOwn(instead, key));
  const removed = keys.filter((key) => !Object.hasOwn(instead, key));
  const cures = renamed.map((key) => `Write ${instead[key]} instead of ${key}.`);
  if (removed.length > 0) cures.push(`Remove ${removed.map((key) => key.slice(0, 60)).join(', ')}.`);
  return { field, message: `Unrecognized key(s) in object: ${quoted(keys)}`, cure: cures.join(' ') };
}

function wrongType(expected: string, value: unknown, field: string): FieldIssue {
  return { field, message: `Expected ${expected}, received ${typeName(value)}`, cure: CURES[expected] ?? '' };
}

const CURES: Readonly<Record<string, string>> = {
  string: 'Write a text, in quotes if it looks like something else.',
  number: 'Write a number without quotes.',
  boolean: 'Write true or false.',
  array: 'Write a list: [first, second].',
  object: 'Write fields below it, indented.',
};

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isNaN(value) ? 'nan' : typeof value;
}
