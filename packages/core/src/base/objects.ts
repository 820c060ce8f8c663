/** Values of unknown shape, from files, servers and models, looked at as objects with fields. */

/** An object, not a list and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else one without fields. */
export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
