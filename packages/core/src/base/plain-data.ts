/** Converts values to plain data for wires and threads: without functions, promises, classes and cycles. */

/** Deeper than any schema allows; deeper values are dropped. */
const MAX_DEPTH = 100;

/** A copy that works with `structuredClone` and JSON. Drops what they cannot represent, as JSON does. */
export function plainData<T>(value: T): T {
  return copy(value, 0, []) as T;
}

function copy(value: unknown, depth: number, ancestors: readonly object[]): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : copyObject(value, depth, ancestors);
    default:
      return undefined;
  }
}

function copyObject(value: object, depth: number, ancestors: readonly object[]): unknown {
  if (depth > MAX_DEPTH || ancestors.includes(value)) return undefined;
  const inner = [...ancestors, value];
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), depth + 1, inner);
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1, inner) ?? null);
  if (value instanceof Promise) return undefined;
  const pairs = Object.entries(value).map(([key, item]) => [key, copy(item, depth + 1, inner)] as const);
  return Object.fromEntries(pairs.filter(([, item]) => item !== undefined));
}
