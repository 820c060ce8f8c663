/** The type of a setting's table entry. The tables are the single source of types, defaults, checks, docs and dialog. */

export type SettingKind = 'boolean' | 'number' | 'string' | 'enum' | 'array' | 'object' | 'any';

/** How values of several files become one. */
export type MergeStrategy =
  /** The highest layer wins (objects: key by key). */
  | 'replace'
  /** Arrays one after the other, lowest layer first. */
  | 'concat'
  /** As concat, without repetitions. */
  | 'union'
  /** An entry comes whole from the highest layer that has it. */
  | 'shallow'
  /** Only what every layer that defines it lists. */
  | 'intersection';

export interface SettingDefinition {
  kind: SettingKind | readonly SettingKind[];
  description: string;
  default?: unknown;
  /** Allowed values of an `enum`. */
  values?: readonly string[];
  /** A regular expression that a text has to match. */
  pattern?: string;
  /** Numbers and booleans count as texts, with a warning. */
  scalars?: boolean;
  /** The items of an array (default: texts) or of an object used as a map. */
  items?: SettingDefinition;
  /** The known keys of an object. */
  properties?: Readonly<Record<string, SettingDefinition>>;
  /** For objects: keys that are not described are reported (default) or expected. */
  open?: boolean;
  merge?: MergeStrategy;
  minimum?: number;
  maximum?: number;
  restart?: boolean;
  /** Shown in the settings dialog. */
  dialog?: boolean;
  /** The key of an object that a bare true or false sets. */
  shorthand?: string;
  /** If this field is wrong, the whole object is dropped: a part of it would do something else. */
  vital?: boolean;
  /** What a wrong value counts as, so that a typo does not lift a restriction. */
  strict?: unknown;
  /** A wrong value ends the program, in any file. */
  fatal?: boolean;
  /** Who may set it; default all files. `remote`: no file at all. */
  from?: 'user_and_system' | 'system' | 'remote';
  /**
   * Why it has no effect here, nor the keys below it: accepted for files of other programs. The reference page gives
   * the reason; dialogs leave it out.
   */
  ignored?: string;
  /** What it waits for, with the keys below it: accepted and checked, but read by no code yet. */
  pending?: string;
  /** The engine parameter it becomes: `maxAttempts`, or a member of a group, `undo.maxBytes` (see parameters.ts). */
  parameter?: string;
  /** That parameter follows the settings when the folder's trust changes in a running session. */
  live?: boolean;
}

export type SettingsSection = Readonly<Record<string, SettingDefinition>>;

export function kindsOf({ kind }: SettingDefinition): readonly SettingKind[] {
  return typeof kind === 'string' ? [kind] : kind;
}

type SwitchOptions = Omit<SettingDefinition, 'kind' | 'default' | 'description'>;

/** A boolean that is on unless a file says otherwise. */
export function on<const Options extends SwitchOptions>(description: string, options = {} as Options) {
  return { kind: 'boolean', default: true, description, ...options } as const;
}

/** A boolean that is off unless a file says otherwise. */
export function off<const Options extends SwitchOptions>(description: string, options = {} as Options) {
  return { kind: 'boolean', default: false, description, ...options } as const;
}

/** An object that only holds further settings. */
export function group<const Properties extends SettingsSection>(description: string, properties: Properties) {
  return { kind: 'object', description, properties } as const;
}
