/** Checks small answers against the few JSON Schema keywords that our own requests use. */
import { isObject } from '../../base/objects.js';

/** The problem as a sentence; undefined when `value` fits. */
export function misfit(schema: unknown, value: unknown, path = 'the answer'): string | undefined {
  if (!isObject(schema)) return undefined;
  const { type, minimum, maximum } = schema;
  if (typeof type === 'string' && !hasType(type, value)) return `${path} is not of the type ${type}`;
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) {
    return `${path} is not one of ${schema['enum'].map((item) => JSON.stringify(item)).join(', ')}`;
  }
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) return `${path} is less than ${minimum}`;
    if (typeof maximum === 'number' && value > maximum) return `${path} is more than ${maximum}`;
  }
  if (Array.isArray(value)) return firstMisfit(value.entries(), () => schema['items'], path);
  return isObject(value) ? objectMisfit(schema, value, path) : undefined;
}

function objectMisfit(
  schema: Record<string, unknown>,
  value: Record<string, unknown>,
  path: string,
): string | undefined {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required.find((key) => !Object.hasOwn(value, String(key)));
  if (missing !== undefined) return `${path} has no "${missing}"`;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const schemaOf = (key: string | number) =>
    Object.hasOwn(properties, key) ? properties[String(key)] : undefined;
  return firstMisfit(Object.entries(value), schemaOf, path);
}

function firstMisfit(
  entries: Iterable<[string | number, unknown]>,
  schemaOf: (key: string | number) => unknown,
  path: string,
): string | undefined {
  for (const [key, item] of entries) {
    const problem = misfit(schemaOf(key), item, `"${key}" of ${path}`);
    if (problem) return problem;
  }
  return undefined;
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
