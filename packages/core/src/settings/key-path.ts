/** Paths to values in a settings file, as keys and indices. */

export type KeyPath = readonly (string | number)[];

/** `mcpServers.x.args[0]` */
export function formatPath(path: KeyPath): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (/^[\w$@-]+$/.test(key)) text += text ? `.${key}` : key;
    else text += `[${JSON.stringify(clip(key))}]`;
  }
  return text;
}

/** Shortens a text from a file and removes control characters, for the screen. */
export function clip(text: string, length = 60): string {
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  return plain.length > length ? `${plain.slice(0, length)}...` : plain;
}

export function startsWith(path: KeyPath, prefix: KeyPath): boolean {
  return prefix.length <= path.length && prefix.every((key, index) => key === path[index]);
}

/** Keys that could change an object's prototype; never read from a file. */
export function isForbiddenKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
