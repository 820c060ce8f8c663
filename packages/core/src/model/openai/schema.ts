/** Parameter schemas as OpenAI and the grammars of local servers accept them. */
import { isObject, objectOf } from '../../base/objects.js';

type Fields = Record<string, unknown>;

/** Deeper than any real schema; a cyclic one ends here. */
const DEPTH_LIMIT = 32;
/** Not allowed at the top of a tool's parameters. */
const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const;

/** Always an object schema, whatever a tool server declared. */
export function toParameters(schema: unknown): Fields {
  const lowered = lower(schema, 0);
  const root: Fields = objectOf(lowered);
  const properties: Fields = {};
  for (const key of ALTERNATIVES) {
    const variants = Array.isArray(root[key]) ? root[key] : [];
    for (const variant of variants) {
      if (isObject(variant) && isObject(variant['properties']))
        Object.assign(properties, variant['properties']);
    }
    delete root[key];
  }
  for (const key of ['enum', 'not', 'const']) delete root[key];
  if (isObject(root['properties'])) Object.assign(properties, root['properties']);
  return { ...root, type: 'object', properties };
}

function lower(value: unknown, depth: number): unknown {
  if (depth > DEPTH_LIMIT) return {};
  if (Array.isArray(value)) return value.map((item) => lower(item, depth + 1));
  if (!isObject(value)) return value;
  const result: Fields = {};
  for (const key of Object.keys(value)) {
    if (key === '$schema' || key === '$id' || key === '$comment') continue;
    // These keywords hold values, not schemas.
    const isData = key === 'enum' || key === 'default' || key === 'const' || key === 'examples';
    if (key === 'properties' && isObject(value[key])) result[key] = lowerProperties(value[key], depth);
    else result[key] = isData ? value[key] : lower(value[key], depth + 1);
  }
  // Google's own schemas write types in upper case.
  if (typeof result['type'] === 'string') result['type'] = result['type'].toLowerCase();
  if (result['type'] === 'array' && result['items'] === undefined) result['items'] = {};
  return result;
}

/** Property names are the tool's: one may be called `$id` or `default`. */
function lowerProperties(properties: Fields, depth: number): Fields {
  const result: Fields = {};
  for (const name of Object.keys(properties)) result[name] = lower(properties[name], depth + 1);
  return result;
}
