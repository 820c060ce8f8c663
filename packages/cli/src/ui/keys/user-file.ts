/** The user's keys: `~/.gemini/keybindings.json`. Wrong entries are reported with their line, the others are used. */
import { readFileSync } from 'node:fs';
import { isObject, JsoncError, parseJsonc, placeOf, visitJsonc } from '@gemini-cli/core';
import {
  type BindingChange,
  changeBindings,
  commandIds,
  defaultBindings,
  type KeyBindings,
} from './bindings.js';
import { parseChord } from './chord.js';
import { isCommandId } from './commands.js';

export interface BindingProblem {
  line: number;
  message: string;
}

export interface UserBindings {
  bindings: KeyBindings;
  problems: BindingProblem[];
}

export function parseUserBindings(source: string, defaults: KeyBindings = defaultBindings()): UserBindings {
  const read = readList(source);
  if ('line' in read) return { bindings: defaults, problems: [read] };
  const lines = linesOfItems(source);
  const changes: BindingChange[] = [];
  const problems: BindingProblem[] = [];
  for (const [index, item] of read.items.entries()) {
    const change = parseItem(item);
    if (typeof change === 'string') problems.push({ line: lines[index] ?? 1, message: change });
    else changes.push(change);
  }
  return { bindings: changeBindings(defaults, changes), problems };
}

/** One line for the user per problem. */
export function describeBindingProblem(file: string, { line, message }: BindingProblem): string {
  return `${file}, line ${line}: ${message}`;
}

function readList(source: string): { items: unknown[] } | BindingProblem {
  if (source.trim() === '') return { items: [] };
  try {
    const value = parseJsonc(source);
    if (Array.isArray(value)) return { items: value };
    return { line: 1, message: 'Expected a list of {"command": …, "key": …}; the default keys are used.' };
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    return { line: error.line, message: `${error.message}; the default keys are used.` };
  }
}

function parseItem(item: unknown): BindingChange | string {
  if (!isObject(item)) return 'Expected {"command": …, "key": …}.';
  const { command, key } = item;
  if (typeof command !== 'string') return 'Its "command" is missing.';
  const remove = command.startsWith('-');
  const id = remove ? command.slice(1) : command;
  if (!isCommandId(id)) return `Unknown command "${clean(id)}".${didYouMean(id)}`;
  if (remove && key === undefined) return { command: id, remove };
  if (typeof key !== 'string') return `The "key" of ${id} is missing.`;
  const chord = parseChord(key);
  return typeof chord === 'string' ? clean(chord) : { command: id, chord, remove };
}

function linesOfItems(source: string): number[] {
  const lines: number[] = [];
  visitJsonc(source, ([index, ...deeper], offset) => {
    if (deeper.length === 0 && typeof index === 'number') lines[index] = placeOf(source, offset).line;
  });
  return lines;
}

function didYouMean(wrong: string): string {
  const lower = wrong.toLowerCase();
  const near = commandIds().find(
    (id) => id.toLowerCase() === lower || id.toLowerCase().endsWith(`.${lower.split('.').at(-1)}`),
  );
  return near ? ` Did you mean ${near}?` : '';
}

/** The text is shown in the terminal, so control characters are removed. */
function clean(text: string): string {
  return text.replace(/[\p{C}]/gu, '').slice(0, 200);
}

/** @param file absent: the default keys */
export function readUserBindings(file: string, defaults: KeyBindings = defaultBindings()): UserBindings {
  try {
    return parseUserBindings(readFileSync(file, 'utf8'), defaults);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { bindings: defaults, problems: [] };
    const reason = error instanceof Error ? error.message : String(error);
    return { bindings: defaults, problems: [{ line: 1, message: `It could not be read: ${clean(reason)}` }] };
  }
}
