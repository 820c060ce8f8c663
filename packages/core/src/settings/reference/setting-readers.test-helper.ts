/**
 * Finds out which settings some code reads, by the text of the sources: TypeScript offers no API that could answer it.
 * A setting counts as read if
 * - its dotted path is passed to `setting(merged, 'ui.theme')`, or
 * - it is taken from its parent: `ui?.theme`, `{ theme } = merged.ui`, or
 * - it becomes an engine parameter, and that name is used, or
 * - its parent is read whole or becomes a parameter, and its name is used; weak for names like `enabled`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingDefinition } from '../schema/definition.js';

export interface Leaf {
  keys: readonly string[];
  /** The entry, or one above it, is marked as without effect. */
  isMarked: boolean;
  /** Its own parameter, or that of the entry above it. */
  parameter: { name: string; isOwn: boolean } | undefined;
}

/** Every entry without entries below it. */
export function leavesOf(
  { properties = {} }: SettingDefinition,
  above: Leaf = { keys: [], isMarked: false, parameter: undefined },
): Leaf[] {
  return Object.entries(properties).flatMap(([key, definition]) => {
    const { parameter: name } = definition;
    const inherited = above.parameter && { ...above.parameter, isOwn: false };
    const leaf: Leaf = {
      keys: [...above.keys, key],
      isMarked: above.isMarked || Boolean(definition.pending || definition.ignored),
      parameter: name === undefined ? inherited : { name, isOwn: true },
    };
    return definition.properties ? leavesOf(definition, leaf) : [leaf];
  });
}

/** They only describe settings, or say that they do nothing. */
const DESCRIBING =
  /[\\/]settings[\\/](schema|reference|checking|discovery|reading)[\\/]|idle-guards\.ts$|not-yet\.ts$|PrivacyDialog\.tsx$/;

/** The program's own code, without comments. */
export function readingSources(root: string): string[] {
  const files = ['core', 'cli'].flatMap((name) => {
    const folder = join(root, 'packages', name, 'src');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  });
  return files
    .filter((path) => /\.tsx?$/.test(path) && !/\.test(-helper)?\.tsx?$|\.d\.ts$/.test(path))
    .filter((path) => !DESCRIBING.test(path))
    .map((path) => readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, ''));
}

export function isRead({ keys, parameter }: Leaf, sources: readonly string[]): boolean {
  if (isTaken(keys, sources)) return true;
  const leaf = keys.at(-1) ?? '';
  const isUsed = () => matches(sources, leaf, `(?<!['"\\w-])${leaf}\\b(?!['"])|lookUp\\('${leaf}'`);
  if (parameter) {
    const names = parameter.name.split('.');
    return names.every((name) => matches(sources, name, `\\b${name}\\b`)) && (parameter.isOwn || isUsed());
  }
  const parent = keys.at(-2) ?? '';
  const isParentPassedOn = () =>
    matches(sources, parent, `\\b${parent}\\b(?!\\??\\.|['"])`) || isTaken(keys.slice(0, -1), sources);
  return keys.length > 1 && isUsed() && isParentPassedOn();
}

/** Read by its own name, beyond doubt. */
export function isTaken(keys: readonly string[], sources: readonly string[]): boolean {
  const [leaf = '', parent = ''] = keys.toReversed();
  if (keys.length < 2) return matches(sources, leaf, `merged\\??\\.${leaf}\\b`);
  const patterns = [
    `setting\\((?:[^()]|\\([^()]*\\))*['"]${keys.join('\\.')}['"]`,
    `(?<!['"])\\b${keys.join('\\??\\.')}\\b`,
    `\\{[^{}]*\\b${leaf}\\b[^{}]*\\}(?:: [^=;]*)? = [^;{]*\\b${parent}\\b`,
  ];
  return matches(sources, leaf, patterns.join('|'));
}

/** @param word part of every match; finding it first is much faster */
function matches(sources: readonly string[], word: string, pattern: string): boolean {
  const expression = new RegExp(pattern);
  return sources.some((text) => text.includes(word) && expression.test(text));
}
