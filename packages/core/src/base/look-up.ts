/** Tables asked with words from outside. */

/** Undefined for what is not in the table, `constructor` and the like too. */
export function lookUp<T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
