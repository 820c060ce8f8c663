/** Arguments of an agent's calls as users see them: values under secret-looking names are masked. */

import { isObject } from '../../base/objects.js';
import { MASK } from '../../platform/redaction/redact.js';

const SECRET_NAME =
  /pass(?:word|wd|phrase)|secret|token|api[-_]?key|credential|authorization|private[-_]?key/i;
const MAX_DEPTH = 8;
const MAX_CHARS = 500;

export function maskArguments(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return maskObject(args, 0);
}

function maskObject(value: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SECRET_NAME.test(name) && item !== undefined && item !== '' ? MASK : maskItem(item, depth + 1),
    ]),
  );
}

function maskItem(item: unknown, depth: number): unknown {
  if (typeof item === 'string') return item.length > MAX_CHARS ? `${item.slice(0, MAX_CHARS)}…` : item;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(item)) return item.slice(0, 50).map((inner) => maskItem(inner, depth + 1));
  return isObject(item) ? maskObject(item, depth) : item;
}
