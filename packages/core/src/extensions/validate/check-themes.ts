/** Themes: groups and colours that the theme manager would replace by its defaults. */
import { nearestNames } from '../../base/nearest.js';
import { isObject } from '../../base/objects.js';
import type { CheckedExtension } from './checked-extension.js';

/** Keys of each group; `gradient` is a list of colours, `diff` a group of its own. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  text: ['primary', 'secondary', 'link', 'accent', 'response'],
  background: ['primary', 'input', 'diff'],
  'background.diff': ['added', 'removed'],
  border: ['default', 'focused'],
  status: ['success', 'warning', 'error'],
  ui: ['comment', 'symbol', 'focus', 'gradient'],
};

/** `#rgb`, `#rrggbb`, or a name; names are known to the theme manager alone. */
const COLOR = /^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6})|[a-z][a-z -]*|)$/i;

export function checkThemes({ raw, warn }: CheckedExtension): void {
  const themes: unknown = raw['themes'];
  if (!Array.isArray(themes)) return;
  const names = new Set<string>();
  for (const [index, theme] of themes.entries()) {
    // A theme without a name was reported when the manifest was read.
    if (!isObject(theme) || typeof theme['name'] !== 'string') continue;
    const key = `themes[${index}]`;
    if (names.has(theme['name']))
      warn(`${key}.name`, `"${theme['name']}" is the name of another theme, too.`);
    names.add(theme['name']);
    for (const group of ['text', 'background', 'border', 'status', 'ui'])
      checkGroup(theme[group], group, `${key}.${group}`, warn);
  }
}

function checkGroup(value: unknown, group: string, key: string, warn: CheckedExtension['warn']): void {
  if (value === undefined) return;
  if (!isObject(value)) {
    warn(key, 'must be an object with colours; the defaults are used.');
    return;
  }
  const known = GROUPS[group] ?? [];
  for (const [name, item] of Object.entries(value)) {
    const at = `${key}.${name}`;
    if (!known.includes(name)) {
      const [near] = nearestNames(name, known, 1, 3);
      warn(at, `has no effect. ${near ? `Did you mean "${near}"?` : `Known: ${known.join(', ')}.`}`);
    } else if (name === 'diff') checkGroup(item, `${group}.diff`, at, warn);
    else
      for (const color of name === 'gradient' && Array.isArray(item) ? item : [item])
        if (typeof color !== 'string' || !COLOR.test(color))
          warn(at, `${JSON.stringify(color)} is not a colour. Write it like #3a7 or #33aa77.`);
  }
}
