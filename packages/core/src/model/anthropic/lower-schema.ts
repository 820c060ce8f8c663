/** Converts a tool's JSON Schema to what the Messages API takes as `input_schema`: an object at the top, no cycles. */
import { isObject, objectOf } from '../../base/objects.js';

type Schema = Record<string, unknown>;

const DEEPEST = 64;
const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const;

export function lowerSchema(schema: unknown): Schema {
  const root = objectOf(schema);
  const lowered = new CycleCutter(root).cut();
  const { $schema: _draft, $id: _id, ...rest } = lowered;
  // The API refuses alternatives at the top level only; the model reads them in the description.
  const notes: string[] = [];
  for (const key of ALTERNATIVES) {
    if (rest[key] === undefined) continue;
    notes.push(`${key}: ${JSON.stringify(rest[key])}`);
    delete rest[key];
  }
  if (typeof rest['$ref'] === 'string') {
    notes.push(`See ${rest['$ref']}`);
    delete rest['$ref'];
  }
  return {
    ...rest,
    ...(notes.length > 0 && { description: described(rest, notes.join('; ')) }),
    type: 'object',
    ...(!isObject(rest['properties']) && { properties: {} }),
  };
}

/** References stay; one that leads back to its own ancestors is cut. */
class CycleCutter {
  private readonly done = new Map<string, Schema>();

  constructor(private readonly root: Schema) {}

  cut(): Schema {
    return this.schema(this.root, '', []);
  }

  private schema(schema: Schema, pointer: string, from: readonly string[]): Schema {
    const known = this.done.get(pointer);
    if (known) return known;
    const result = this.copy(schema, pointer, from);
    this.done.set(pointer, result);
    return result;
  }

  private copy(schema: Schema, pointer: string, from: readonly string[]): Schema {
    if (pointer.split('/').length + from.length > DEEPEST) return {};
    const { $ref, ...rest } = schema;
    const result: Schema = {};
    for (const [key, value] of Object.entries(rest)) {
      result[key] = this.value(value, `${pointer}/${escaped(key)}`, from);
    }
    if (typeof $ref !== 'string') return result;
    return this.leadsDown($ref, pointer, from)
      ? { ...result, $ref }
      : { ...result, description: described(rest, `Recursive or unknown: ${$ref}`) };
  }

  private value(value: unknown, pointer: string, from: readonly string[]): unknown {
    if (Array.isArray(value))
      return value.map((item, index) => this.value(item, `${pointer}/${index}`, from));
    return isObject(value) ? this.schema(value, pointer, from) : value;
  }

  private leadsDown(ref: string, pointer: string, from: readonly string[]): boolean {
    if (!ref.startsWith('#')) return false;
    const target = ref.slice(1);
    const path = [...from, pointer];
    if (path.some((place) => place === target || place.startsWith(`${target}/`))) return false;
    const schema = this.find(target);
    if (!schema) return false;
    this.schema(schema, target, path);
    return true;
  }

  private find(pointer: string): Schema | undefined {
    let current: unknown = this.root;
    for (const key of pointer.split('/').slice(1)) {
      const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
      current = (current as Schema)[name];
    }
    return isObject(current) ? current : undefined;
  }
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function described(schema: Schema, note: string): string {
  const own = schema['description'];
  return typeof own === 'string' && own ? `${own} (${note})` : note;
}
