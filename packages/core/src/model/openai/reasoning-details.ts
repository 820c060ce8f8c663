/**
 * OpenRouter's `reasoning_details`, which must be sent back. They stay in the history in the `thoughtSignature` of
 * the first call, in a form that names their provider: for others they are meaningless.
 */
import { isObject } from '../../base/objects.js';

type Fields = Record<string, unknown>;

/** Adds a chunk's details; pieces of one text are joined. */
export function addDetails(list: Fields[], delta: readonly unknown[]): void {
  for (const next of delta.filter(isObject)) {
    const last = list.at(-1);
    const isContinued =
      last?.['type'] === next['type'] &&
      last?.['index'] === next['index'] &&
      typeof last?.['text'] === 'string' &&
      typeof next['text'] === 'string';
    if (isContinued) list[list.length - 1] = { ...last, ...next, text: `${last['text']}${next['text']}` };
    else list.push(next);
  }
}

export function packDetails(provider: string, details: readonly Fields[]): string | undefined {
  return details.length > 0 ? markOf(provider) + JSON.stringify(details) : undefined;
}

/** Undefined: none, another provider's, or damaged. */
export function unpackDetails(provider: string, signature: string | undefined): unknown[] | undefined {
  const mark = markOf(provider);
  if (!signature?.startsWith(mark)) return undefined;
  try {
    const value: unknown = JSON.parse(signature.slice(mark.length));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function markOf(provider: string): string {
  return `reasoning_details:${provider}:`;
}
