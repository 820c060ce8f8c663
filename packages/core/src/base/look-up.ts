/** Looks up an untrusted key in a table. Undefined if it is missing, also for `constructor` and other inherited names. */
export function lookUp<T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
