/** Maps settings to engine parameters, as the fields `parameter` and `live` of their entries define. */
import type { SettingDefinition, SettingsSection } from './definition.js';
import { type Settings, type ValueOf, valueAt } from './index.js';
import { SETTINGS } from './root.js';

/** The parameters set by settings files; a key that no file sets is absent. */
export type SettingParameters = ParametersOf<typeof SETTINGS>;
/** The same after `withDefaults` has added the tables' defaults. */
export type DefaultedParameters = DefaultedOf<typeof SETTINGS>;
/** Parameters, and groups of them, that may change in a running session. */
export type LiveName = HeadOf<Extract<Mapped<typeof SETTINGS>, { definition: { live: true } }>['name']>;

/** A setting that becomes an engine parameter. */
export interface MappedSetting {
  /** Key path in the settings. */
  keys: readonly string[];
  /** The parameter, or the group it belongs to. */
  head: string;
  /** Its name in the group. */
  member: string | undefined;
  definition: SettingDefinition;
}

const MAPPED: readonly MappedSetting[] = mappedSettings(SETTINGS);

/** Every entry with a `parameter`. Runs at each start: nothing is allocated for entries without one. */
export function mappedSettings(
  section: SettingsSection,
  above: readonly string[] = [],
  found: MappedSetting[] = [],
): MappedSetting[] {
  for (const key in section) {
    const definition = section[key];
    if (definition?.parameter !== undefined) {
      const [head = '', member] = definition.parameter.split('.');
      found.push({ keys: [...above, key], head, member, definition });
    } else if (definition?.properties) {
      mappedSettings(definition.properties, [...above, key], found);
    }
  }
  return found;
}

export function settingParameters(merged: Settings, entries = MAPPED): SettingParameters {
  const parameters: Values = {};
  for (const entry of entries) put(parameters, entry, valueAt(merged, entry.keys));
  // The names are those of the tables, and files are checked against the tables.
  return parameters as SettingParameters;
}

/** Absent parameters get the default of their entry, in groups and objects key by key. */
export function withDefaults<P extends SettingParameters>(
  given: P,
  entries = MAPPED,
): P & DefaultedParameters {
  const parameters: Values = { ...given };
  for (const { head, member } of entries)
    if (member !== undefined) parameters[head] = { ...(parameters[head] as Values | undefined) };
  for (const entry of entries)
    put(parameters, entry, filled(entry.definition, currentValue(parameters, entry)));
  return parameters as P & DefaultedParameters;
}

/** The parameters that a running session takes over; absent ones are included, or the old value would stay. */
export function liveOnly<P extends SettingParameters>(
  parameters: P,
  entries = MAPPED,
): Pick<P, LiveName & keyof P> {
  const live = entries.filter(({ definition }) => definition.live);
  const values = live.map(({ head }) => [head, valueAt(parameters, [head])]);
  return Object.fromEntries(values) as Pick<P, LiveName & keyof P>;
}

type Values = Record<string, unknown>;

function currentValue(parameters: Values, { head, member }: MappedSetting): unknown {
  return member === undefined ? parameters[head] : (parameters[head] as Values)[member];
}

function put(parameters: Values, { head, member }: MappedSetting, value: unknown): void {
  if (member === undefined) parameters[head] = value;
  else {
    parameters[head] ??= {};
    (parameters[head] as Values)[member] = value;
  }
}

function filled(definition: SettingDefinition, value: unknown): unknown {
  const { kind, properties } = definition;
  if (kind !== 'object' || !properties) return value ?? definition.default;
  const result: Values = { ...(value as Values | undefined) };
  for (const key in properties) {
    const child = properties[key];
    if (child) result[key] = filled(child, result[key]);
  }
  return result;
}

/** Entries with a parameter, as a union. */
type Mapped<P> = {
  [K in keyof P]: P[K] extends { parameter: infer Name extends string }
    ? { name: Name; definition: P[K] }
    : P[K] extends { properties: infer Q }
      ? Mapped<Q>
      : never;
}[keyof P];

type HeadOf<Name> = Name extends `${infer Head}.${string}` ? Head : Name;
type MemberOf<Name> = Name extends `${string}.${infer Member}` ? Member : never;
type Single<F> = F extends { name: `${string}.${string}` } ? never : F;
type InGroup<F, Head extends string> = F extends { name: `${Head}.${string}` } ? F : never;
type Groups<F extends AnyMapped> = F extends { name: `${infer Head}.${string}` } ? Head : never;
interface AnyMapped {
  name: string;
  definition: unknown;
}

export type ParametersOf<P> = {
  [F in Single<Mapped<P>> as F['name']]?: ValueOf<F['definition']>;
} & {
  [Head in Groups<Mapped<P>>]?: {
    [F in InGroup<Mapped<P>, Head> as MemberOf<F['name']>]?: ValueOf<F['definition']>;
  };
};

type DefaultedOf<P> = {
  [F in Single<Mapped<P>> as F['definition'] extends Known ? F['name'] : never]: Filled<F['definition']>;
} & {
  [Head in Groups<Mapped<P>>]: {
    [F in InGroup<Mapped<P>, Head> as F['definition'] extends Known ? MemberOf<F['name']> : never]: Filled<
      F['definition']
    >;
  };
};

/** Entries that always have a value: a default, or an object of such entries. */
type Known = { default: unknown } | { kind: 'object'; properties: unknown };

type Filled<D> = D extends { kind: 'object'; properties: infer P }
  ? { -readonly [K in keyof P as P[K] extends Known ? K : never]: Filled<P[K]> } & {
      -readonly [K in keyof P as P[K] extends Known ? never : K]?: ValueOf<P[K]>;
    }
  : ValueOf<D>;
