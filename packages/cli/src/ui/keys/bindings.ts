/** Which key runs which command: the defaults, changed by the user's file. */
import { type Chord, describeChord, matches, parseChord, sameChord } from './chord.js';
import { COMMANDS, type CommandGroup, type CommandId, defaultKeys } from './commands.js';
import type { Key } from './key.js';

export type { CommandId } from './commands.js';

/** Keys by command; a command without keys has an empty list. */
export type KeyBindings = ReadonlyMap<CommandId, readonly Chord[]>;

export interface BindingChange {
  command: CommandId;
  /** Absent: all keys of the command. */
  chord?: Chord;
  remove: boolean;
}

export function defaultBindings(platform: NodeJS.Platform = process.platform): KeyBindings {
  return new Map(
    commandIds().map((command) => [command, defaultKeys(command, platform).map(knownChord)] as const),
  );
}

/** Applied in the order of the file, so the last entry wins. */
export function changeBindings(bindings: KeyBindings, changes: readonly BindingChange[]): KeyBindings {
  const changed = new Map(bindings);
  for (const { command, chord, remove } of changes) {
    const before = changed.get(command) ?? [];
    const others = chord ? before.filter((known) => !sameChord(known, chord)) : [];
    // The newest key comes first, so that help shows the user's own.
    changed.set(command, remove || !chord ? others : [chord, ...others]);
  }
  return changed;
}

/** One keyboard, one table. */
let active: KeyBindings | undefined;

function current(): KeyBindings {
  active ??= defaultBindings();
  return active;
}

export function setBindings(bindings: KeyBindings): void {
  active = bindings;
}

export function isCommand(key: Key, command: CommandId): boolean {
  return (current().get(command) ?? []).some((chord) => matches(key, chord));
}

/** The first of these commands that the key runs. */
export function commandOf<Id extends CommandId>(key: Key, among: readonly Id[]): Id | undefined {
  return among.find((command) => isCommand(key, command));
}

/** As shown in help: `['Ctrl+A', 'Home']`. */
export function keysOf(command: CommandId, platform: NodeJS.Platform = process.platform): string[] {
  return (current().get(command) ?? []).map((chord) => describeChord(chord, platform));
}

export interface CommandHelp {
  command: CommandId;
  group: CommandGroup;
  description: string;
  keys: string[];
}

/** Commands that have a key and do something, in the order of the table. */
export function commandHelp(platform: NodeJS.Platform = process.platform): CommandHelp[] {
  return commandIds().flatMap((command) => {
    const keys = keysOf(command, platform);
    const { group, description, isReserved = false } = COMMANDS[command];
    return keys.length > 0 && !isReserved ? [{ command, group, description, keys }] : [];
  });
}

export function commandIds(): CommandId[] {
  // The type of Object.keys is too wide.
  return Object.keys(COMMANDS) as CommandId[];
}

function knownChord(text: string): Chord {
  const chord = parseChord(text);
  if (typeof chord === 'string') throw new Error(`Default key ${text}: ${chord}`);
  return chord;
}
