/** Setting values as the dialog shows and changes them. */
import type { FrontEndModule, LoadedSettings } from '@gemini-cli/core';
import { cleanLine } from '../../text/clean.js';

export type DialogSetting = ReturnType<FrontEndModule['dialogSettings']>[number];
export type Scope = 'user' | 'workspace' | 'system';

export const SCOPES: readonly { scope: Scope; label: string }[] = [
  { scope: 'user', label: 'User Settings' },
  { scope: 'workspace', label: 'Workspace Settings' },
  { scope: 'system', label: 'System' },
];

export interface ShownSetting {
  text: string;
  /** True when this scope sets it. */
  isSetHere: boolean;
  /** Other scopes that set it. */
  elsewhere: readonly Scope[];
}

type Layers = Pick<LoadedSettings, 'layer' | 'merged'>;

export function shownSetting(entry: DialogSetting, settings: Layers, scope: Scope): ShownSetting {
  const isSetIn = (layer: Scope) => valueAt(settings.layer(layer), entry.key) !== undefined;
  return {
    text: textOf(currentValue(entry, settings, scope)),
    isSetHere: isSetIn(scope),
    elsewhere: SCOPES.flatMap((other) =>
      other.scope !== scope && isSetIn(other.scope) ? [other.scope] : [],
    ),
  };
}

/** The scope's own value, or the effective one. */
export function currentValue(
  { key, default: usual }: DialogSetting,
  settings: Layers,
  scope: Scope,
): unknown {
  return valueAt(settings.layer(scope), key) ?? valueAt(settings.merged, key) ?? usual;
}

/** The next value of a switch or a choice; undefined: the value must be typed. */
export function nextValue({ kind, values }: DialogSetting, current: unknown): unknown {
  if (kind === 'boolean') return current !== true;
  if (kind !== 'enum') return undefined;
  return values[(values.indexOf(String(current)) + 1) % values.length];
}

export type Parsed = { value: unknown } | { problem: string };

/** Empty: the setting is removed. */
export function parseTyped({ kind, minimum, maximum }: DialogSetting, text: string): Parsed {
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined };
  if (kind === 'array') {
    return {
      value: trimmed
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    };
  }
  if (kind !== 'number') return { value: trimmed };
  const number = Number(trimmed);
  if (!Number.isFinite(number)) return { problem: `"${trimmed}" is not a number.` };
  if (minimum !== undefined && number < minimum) return { problem: `At least ${minimum}.` };
  if (maximum !== undefined && number > maximum) return { problem: `At most ${maximum}.` };
  return { value: number };
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => textOf(item)).join(', ');
  return cleanLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Every search word must occur. */
export function matching(entries: readonly DialogSetting[], query: string): DialogSetting[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ key, label, description }) => {
    const text = `${key} ${label} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function valueAt(root: unknown, key: string): unknown {
  let current = root;
  for (const part of key.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = (current as Record<string, unknown>)[part];
  }
  return current;
}
