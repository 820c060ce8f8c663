/** The settings that a dialog offers, in the order of the tables; those without a section come last. */
import { kindsOf, type SettingDefinition, type SettingKind } from './definition.js';
import { ROOT } from './root.js';

export interface DialogSetting {
  /** Dotted. */
  key: string;
  /** Derived from the key: `Vim Mode` for `general.vimMode`, `Output: Format` for `output.format`. */
  label: string;
  /** Its section of the file, e.g. `ui`. */
  section: string;
  description: string;
  kind: SettingKind;
  default: unknown;
  values: readonly string[];
  minimum?: number;
  maximum?: number;
  /** Takes effect with the next start. */
  needsRestart: boolean;
  /** A project may not set it. */
  isUserOnly: boolean;
}

export function dialogSettings(): DialogSetting[] {
  const all = settingsIn(ROOT, []);
  return [...all.filter(({ section }) => section !== ''), ...all.filter(({ section }) => section === '')];
}

function settingsIn({ properties = {} }: SettingDefinition, path: readonly string[]): DialogSetting[] {
  return Object.entries(properties).flatMap(([name, definition]) => {
    const keys = [...path, name];
    // Nothing would happen when the user changes it, or an entry below it.
    if (definition.ignored || definition.pending) return [];
    const own = definition.dialog ? [entryOf(keys, definition)] : [];
    return [...own, ...settingsIn(definition, keys)];
  });
}

function entryOf(keys: readonly string[], definition: SettingDefinition): DialogSetting {
  const { description, values = [], minimum, maximum, restart, from } = definition;
  const kinds = kindsOf(definition);
  return {
    key: keys.join('.'),
    label: labelOf(keys[0] === 'general' ? keys.slice(1) : keys),
    section: keys.length > 1 ? (keys[0] ?? '') : '',
    description,
    kind: values.length > 0 ? 'enum' : (kinds[0] ?? 'any'),
    default: definition.default,
    values,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    needsRestart: restart === true,
    isUserOnly: from !== undefined,
  };
}

const SHORT: Readonly<Record<string, string>> = { ui: 'UI', ide: 'IDE', mcp: 'MCP' };

function labelOf(keys: readonly string[]): string {
  return keys
    .map(
      (key) =>
        SHORT[key] ??
        key.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/^./, (first) => first.toUpperCase()),
    )
    .join(': ');
}
