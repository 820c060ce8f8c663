/** Converts strings to other types, because environment variables are always strings. */
import type { SettingKind } from '../schema/definition.js';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

export function coerce(value: unknown, kinds: readonly SettingKind[]): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (kinds.includes('boolean')) {
    const word = text.toLowerCase();
    if (word === 'true' || word === 'false') return word === 'true';
  }
  if (kinds.includes('number') && !kinds.includes('string') && NUMBER.test(text)) return Number(text);
  return value;
}
