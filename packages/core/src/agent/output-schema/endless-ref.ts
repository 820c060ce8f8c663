/** Finds references of a JSON Schema that lead back to themselves without descending into the value. */
import { isObject } from '../../base/objects.js';

/** Keywords whose schemas apply to the same value. */
const IN_PLACE = ['not', 'if', 'then', 'else'];
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];

/** A tree whose branches are trees is fine: every step descends into the value. */
export function findEndlessRef(root: Record<string, unknown>): string | undefined {
  const settled = new Set<unknown>();
  const open = new Set<unknown>();

  const visit = (schema: unknown): string | undefined => {
    if (!isObject(schema) || settled.has(schema)) return undefined;
    open.add(schema);
    const ref = schema['$ref'];
    const target = typeof ref === 'string' ? resolve(root, ref) : undefined;
    const found = target && open.has(target) ? String(ref) : (visit(target) ?? first(inPlace(schema), visit));
    open.delete(schema);
    settled.add(schema);
    return found;
  };
  return first(everySchema(root), visit);
}

function inPlace(schema: Record<string, unknown>): unknown[] {
  const lists = IN_PLACE_LISTS.flatMap((word) => (Array.isArray(schema[word]) ? schema[word] : []));
  return [...IN_PLACE.map((word) => schema[word]), ...lists];
}

/** All objects of the document; those that are not schemas have no references. */
function* everySchema(root: unknown): Generator<unknown> {
  const queue: unknown[] = [root];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    yield value;
    for (const item of Object.values(value)) if (item !== undefined) queue.push(item);
  }
}

/** The target of a local pointer; anchors and other documents are left to the compiler. */
function resolve(root: unknown, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let value = root;
  for (const step of ref.slice(2).split('/')) {
    const key = nameIn(step);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function nameIn(step: string): string {
  return decoded(step).replace(/~1/g, '/').replace(/~0/g, '~');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function first<T>(items: Iterable<unknown>, find: (item: unknown) => T | undefined): T | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
