/** Reads values from parsed files of unknown shape. */
import { isObject } from '../../base/objects.js';

export type Table = Readonly<Record<string, unknown>>;

/** The value at a dotted path, own keys only. */
export function valueAt(root: unknown, keyPath: string): unknown {
  let current = root;
  for (const key of keyPath.split('.')) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** Accepts a single item where a list is expected. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** A text with a variable may become any value when settings are loaded. */
function isOpen(value: unknown): boolean {
  return typeof value === 'string' && value.includes('$');
}

export function mayBeTrue(value: unknown): boolean {
  return value === true || isOpen(value) || (typeof value === 'string' && /^\s*true\s*$/i.test(value));
}

export function mayBeFalse(value: unknown): boolean {
  return value === false || isOpen(value) || (typeof value === 'string' && /^\s*false\s*$/i.test(value));
}
