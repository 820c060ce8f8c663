/** Suggests the setting that an unknown key may have meant. */
import { nearestNames } from '../../base/nearest.js';
import { formatPath, type KeyPath } from '../key-path.js';
import type { SettingDefinition } from '../schema/definition.js';
import { ROOT } from '../schema/root.js';

/** Longer keys are not compared: comparing takes time, and no setting has such a long name. */
const LONGEST = 80;

export function unknownKeyHint(parent: SettingDefinition, path: KeyPath): string | undefined {
  const key = String(path.at(-1));
  if (key.length > LONGEST) return undefined;
  const here = nearest(key, Object.keys(parent.properties ?? {}));
  if (here !== undefined) return suggestion([...path.slice(0, -1), here]);
  const elsewhere = placesFor(key);
  return elsewhere.length === 1 && elsewhere[0] ? suggestion(elsewhere[0]) : undefined;
}

function suggestion(path: KeyPath): string {
  return `Did you mean ${formatPath(path)}?`;
}

function nearest(key: string, names: readonly string[]): string | undefined {
  const isSame = (name: string) => name.toLowerCase() === key.toLowerCase();
  // At most a third of the letters may differ. Two swapped letters count as two.
  const limit = Math.max(key.length > 4 ? 2 : 1, Math.floor(key.length / 3));
  return names.find(isSame) ?? nearestNames(key, names, 1, limit)[0];
}

/** The section of exactly this name, and the sections that have such a key and may be set in a file. */
function placesFor(key: string): KeyPath[] {
  const sections = Object.entries(ROOT.properties ?? {}).filter(([, { from }]) => from !== 'remote');
  return sections.flatMap(([section, { properties }]) => {
    if (section === key) return [[key]];
    return properties && Object.hasOwn(properties, key) ? [[section, key]] : [];
  });
}
