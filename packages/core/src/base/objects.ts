/** Checks for values of unknown type, from files, servers and models. */

/** True for an object, not for an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
