/** Makes the schema of a server's tool acceptable to every provider. Arguments are checked against the original. */
import { headOf } from '../../base/cut-text.js';
import { isObject } from '../../base/objects.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { cleanServerText } from '../clean-text.js';

/** A schema with more values is not declared: it would cost more than the tool is worth. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 64;
/** As JSON. */
const MAX_CHARS = 100_000;
/** Of one text. */
const MAX_TEXT = 8_000;
/** Another keyword, such as a pattern, means something else when it is cut: it is left out where it is too long. */
const TEXTS = new Set(['title', 'description']);
/** What no provider needs, and some refuse. */
const DROPPED = new Set(['$schema', '$id', '$comment', 'additionalProperties']);
/** Their keys are names of the server, not keywords. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

export function sanitizeSchema(schema: Record<string, unknown>): JsonSchema {
  const cleaner = new Cleaner(schema);
  const cleaned = cleaner.schema(schema, [], 0);
  const isUsable = !cleaner.isTooLarge && JSON.stringify(cleaned).length <= MAX_CHARS;
  const usable = isObject(cleaned) && isUsable ? cleaned : {};
  return { ...usable, type: 'object', properties: objectsOnly(usable['properties']) } as JsonSchema;
}

class Cleaner {
  private nodes = 0;

  constructor(private readonly root: Record<string, unknown>) {}

  get isTooLarge(): boolean {
    return this.nodes > MAX_NODES;
  }

  /** @param open the references that lead here: one of them again would never end */
  schema(value: unknown, open: readonly string[], depth: number): unknown {
    if (++this.nodes > MAX_NODES || depth > MAX_DEPTH) return {};
    if (Array.isArray(value)) return value.map((item) => this.schema(item, open, depth + 1));
    if (!isObject(value)) return value;
    const ref = value['$ref'];
    if (typeof ref === 'string') {
      if (open.includes(ref) || this.isCyclic(ref)) return {};
      return this.schema(this.resolve(ref) ?? {}, [...open, ref], depth + 1);
    }
    const result: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      if (DROPPED.has(key) || key === '$defs' || key === 'definitions') continue;
      if (key === 'default' && 'anyOf' in value) continue;
      // A flag in a property is of an old draft, and providers refuse the whole request for it.
      if (key === 'required' && !isNames(item)) continue;
      if (MAPS.has(key) && isObject(item)) result[key] = this.map(item, open, depth + 1);
      else if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples')
        result[key] = item;
      else if (typeof item !== 'string') result[key] = this.schema(item, open, depth + 1);
      else if (TEXTS.has(key) || item.length <= MAX_TEXT)
        result[key] = cleanServerText(headOf(item, MAX_TEXT));
    }
    return nullable(result);
  }

  private map(value: Record<string, unknown>, open: readonly string[], depth: number) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.schema(item, open, depth)]),
    );
  }

  private resolve(ref: string): unknown {
    if (ref === '#') return this.root;
    if (!ref.startsWith('#/')) return undefined;
    let found: unknown = this.root;
    for (const part of ref.slice(2).split('/')) {
      const key = decode(part);
      found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    return found;
  }

  private readonly cyclic = new Map<string, boolean>();

  /** Whether a reference leads back to itself. */
  private isCyclic(ref: string): boolean {
    const known = this.cyclic.get(ref);
    if (known !== undefined) return known;
    const seen = new Set<string>();
    const waiting: unknown[] = [this.resolve(ref)];
    let isFound = false;
    for (let steps = 0; waiting.length > 0 && steps < MAX_NODES && !isFound; steps++) {
      const item = waiting.pop();
      if (Array.isArray(item)) waiting.push(...item);
      if (!isObject(item)) continue;
      const inner = item['$ref'];
      if (inner === ref) isFound = true;
      if (typeof inner === 'string' && !seen.has(inner)) {
        seen.add(inner);
        waiting.push(this.resolve(inner));
      }
      waiting.push(...Object.values(item));
    }
    this.cyclic.set(ref, isFound);
    return isFound;
  }
}

/** `type: ["x", "null"]` becomes `type: "x", nullable: true`. */
function nullable(schema: Record<string, unknown>): Record<string, unknown> {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  const others = type.filter((item) => item !== 'null');
  if (others.length !== 1) return schema;
  return { ...schema, type: others[0], ...(others.length < type.length && { nullable: true }) };
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** A property may be `true` in JSON Schema; providers want an object. */
function objectsOnly(properties: unknown): Record<string, unknown> {
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, isObject(schema) ? schema : {}]),
  );
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}
