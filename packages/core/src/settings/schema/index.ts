/** TypeScript types derived from the settings tables, and functions to read a setting. */
import type { SettingDefinition, SettingKind } from './definition.js';
import { ROOT, type SETTINGS } from './root.js';

/** The merged files, every key optional, without defaults: see `setting`. */
export type Settings = ObjectOf<typeof SETTINGS>;

type ObjectOf<P> = { -readonly [K in keyof P]?: ValueOf<P[K]> };

export type ValueOf<D> = D extends { kind: infer K }
  ? K extends readonly (infer One)[]
    ? OfKind<One, D>
    : OfKind<K, D>
  : never;

type OfKind<K, D> = K extends SettingKind ? KindMap<D>[K] : never;

interface KindMap<D> {
  boolean: boolean;
  number: number;
  string: string;
  enum: D extends { values: readonly (infer V)[] } ? V : string;
  array: D extends { items: infer I } ? ValueOf<I>[] : string[];
  object: D extends { properties: infer P }
    ? ObjectOf<P>
    : D extends { items: infer I }
      ? Record<string, ValueOf<I>>
      : Record<string, unknown>;
  any: unknown;
}

/** Dotted paths of everything that has a value of its own. */
export type SettingPath = PathsIn<typeof SETTINGS>;

type PathsIn<P> = {
  [K in keyof P & string]: P[K] extends { properties: infer Q }
    ? K | (PathsIn<Q> extends infer Rest extends string ? `${K}.${Rest}` : never)
    : K;
}[keyof P & string];

type DefinitionAt<P, Path> = Path extends keyof P
  ? P[Path]
  : Path extends `${infer Head}.${infer Rest}`
    ? Head extends keyof P
      ? P[Head] extends { properties: infer Q }
        ? DefinitionAt<Q, Rest>
        : never
      : never
    : never;

export type SettingValue<Path extends SettingPath> =
  DefinitionAt<typeof SETTINGS, Path> extends infer D
    ? D extends { default: unknown }
      ? ValueOf<D>
      : ValueOf<D> | undefined
    : never;

/** The value in effect: from the files, else the default of the tables. */
export function setting<Path extends SettingPath>(merged: Settings, path: Path): SettingValue<Path> {
  const keys = path.split('.');
  const value = valueAt(merged, keys) ?? definitionAt(keys)?.default;
  // The path is one of the tables, and files are checked against the tables.
  return value as SettingValue<Path>;
}

/** The definition behind a key path, through maps and arrays too; undefined if there is none. */
export function definitionAt(keys: readonly (string | number)[]): SettingDefinition | undefined {
  let current: SettingDefinition | undefined = ROOT;
  for (const key of keys) current = current && childOf(current, key);
  return current;
}

/** The definition of one key of an object, or one item of an array. */
export function childOf(
  { properties, items }: SettingDefinition,
  key: string | number,
): SettingDefinition | undefined {
  if (typeof key === 'string' && properties && Object.hasOwn(properties, key)) return properties[key];
  return items;
}

export function valueAt(root: unknown, keys: readonly (string | number)[]): unknown {
  let current = root;
  for (const key of keys) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string | number, unknown>)[key];
  }
  return current;
}
