/** JSON of what a tool has returned, given up once it is certain to be longer than the limit. */

/** Line break, two spaces and at least one character. */
const SHORTEST_ENTRY = 4;

/**
 * @returns undefined for what is longer than the limit; not all of it is written then: JSON of a buffer of 50 MB would take
 * the process minutes
 * @throws what JSON.stringify throws
 */
export function jsonWithin(limit: number, value: unknown): string | undefined {
  let left = limit;
  const pay = (characters: number) => {
    left -= characters;
    if (left < 0) throw TOO_LONG;
  };
  const count = (_key: string, item: unknown): unknown => {
    if (typeof item === 'string') pay(item.length);
    else if (typeof item === 'object' || typeof item === 'number' || typeof item === 'boolean') pay(1);
    // They have no entry of their own before they are begun.
    if (Array.isArray(item)) pay(item.length * (SHORTEST_ENTRY - 1));
    else if (ArrayBuffer.isView(item)) pay(item.byteLength);
    return item;
  };
  try {
    if (ArrayBuffer.isView(value)) pay(value.byteLength);
    const text = JSON.stringify(value, count, 2) ?? 'null';
    return text.length > limit ? undefined : text;
  } catch (error) {
    if (error === TOO_LONG) return undefined;
    throw error;
  }
}

const TOO_LONG = new RangeError('The result is too long.');
