/** Masks all strings in a value: in objects, lists, errors and values with `toJSON`. */
import { MASK } from './redact-spans.js';

/** Deeper than any JSON we read; deeper values are masked as a whole. */
const DEEPEST = 500;

/** @returns the same object if nothing had to be masked */
export function redactDeep<T>(value: T, redact: (text: string) => string): T {
  // Strings stay strings and objects keep their shape, so the type is right.
  return new ValueRedactor(redact).visit(value, 0) as T;
}

class ValueRedactor {
  /** Result of each object; while it is visited, its placeholder in a cycle. */
  private readonly results = new Map<object, unknown>();

  constructor(private readonly redact: (text: string) => string) {}

  visit(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > DEEPEST) return MASK;
    if (this.results.has(value)) return this.results.get(value);
    this.results.set(value, '[circular]');
    const result = this.visitObject(value, depth + 1);
    this.results.set(value, result);
    return result;
  }

  private visitObject(value: object, depth: number): unknown {
    if (Array.isArray(value)) return this.visitList(value, depth);
    if (ArrayBuffer.isView(value)) return value;
    if (value instanceof Error) return this.visitError(value, depth);
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      const json: unknown = value.toJSON();
      const clean = this.visit(json, depth);
      return clean === json ? value : clean;
    }
    return this.visitEntries(value, depth);
  }

  private visitList(list: readonly unknown[], depth: number): readonly unknown[] {
    const clean = list.map((item) => this.visit(item, depth));
    return clean.some((item, index) => item !== list[index]) ? clean : list;
  }

  private visitEntries(value: object, depth: number): object {
    let isChanged = false;
    const clean = Object.entries(value).map(([key, item]): [string, unknown] => {
      const entry: [string, unknown] = [this.redact(key), this.visit(item, depth)];
      isChanged ||= entry[0] !== key || entry[1] !== item;
      return entry;
    });
    return isChanged ? Object.fromEntries(clean) : value;
  }

  /** Message and stack are not enumerable. The copy must still be an error for the code that prints it. */
  private visitError(error: Error, depth: number): Error {
    const clean = Object.getOwnPropertyNames(error).map((name) => {
      const value: unknown = Reflect.get(error, name);
      return { name, value, masked: this.visit(value, depth) };
    });
    if (clean.every(({ value, masked }) => value === masked)) return error;
    const copy = Object.setPrototypeOf(new Error(), Object.getPrototypeOf(error));
    for (const { name, masked } of clean) {
      const enumerable = Object.prototype.propertyIsEnumerable.call(error, name);
      Object.defineProperty(copy, name, { value: masked, enumerable, configurable: true, writable: true });
    }
    return copy;
  }
}
