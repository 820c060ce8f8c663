/** Reads a list of a server page by page, to its end or to our limits. */
import { isObject } from '../base/objects.js';

export interface ListLimits {
  maxItems: number;
  maxPages: number;
}

const LIMITS: ListLimits = { maxItems: 10_000, maxPages: 1_000 };

export interface ReadList<T> {
  items: T[];
  /** The server would have sent more, or the same page again and again. */
  isCut: boolean;
}

export async function readPages<T>(
  request: (cursor: string | undefined) => Promise<unknown>,
  key: string,
  read: (value: unknown) => T | undefined,
  { maxItems, maxPages }: ListLimits = LIMITS,
): Promise<ReadList<T>> {
  const items: T[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const result = await request(cursor);
    const listed = isObject(result) ? result[key] : undefined;
    for (const value of Array.isArray(listed) ? listed : []) {
      const item = read(value);
      if (item !== undefined) items.push(item);
      if (items.length >= maxItems) return { items, isCut: true };
    }
    const next = isObject(result) ? result['nextCursor'] : undefined;
    if (typeof next !== 'string' || next === '') return { items, isCut: false };
    if (seen.has(next)) return { items, isCut: true };
    seen.add(next);
    cursor = next;
  }
  return { items, isCut: true };
}
