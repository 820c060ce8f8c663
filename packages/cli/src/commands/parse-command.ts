/** Finds the command that a typed line names: at each level by its exact name, else by an alias. */
import type { SlashCommand } from './types.js';

export interface ParsedCommand {
  /** Undefined when no command has this name. */
  command: SlashCommand | undefined;
  /** The first word, without the slash, as it was typed. */
  word: string;
  /** Names from the top down to the command. */
  path: string[];
  /** The rest of the line as typed, trimmed. */
  args: string;
}

/** @param line begins with `/` */
export function parseCommand(line: string, commands: readonly SlashCommand[]): ParsedCommand {
  let { word, rest } = takeWord(line.trim().slice(1));
  const first = word;
  const path: string[] = [];
  let level = commands;
  let command: SlashCommand | undefined;
  for (let found = findCommand(level, word); found && word !== ''; found = findCommand(level, word)) {
    command = found;
    path.push(found.name);
    level = found.subCommands ?? [];
    const next = takeWord(rest);
    if (!findCommand(level, next.word)) break;
    ({ word, rest } = next);
  }
  return { command, word: first, path, args: rest };
}

export function findCommand(commands: readonly SlashCommand[], word: string): SlashCommand | undefined {
  return (
    commands.find(({ name }) => name === word) ??
    commands.find(({ altNames }) => altNames?.includes(word) === true)
  );
}

/** `//` and `/*` begin comments; a lone slash is text. */
export function isCommandLine(text: string): boolean {
  return /^\/(?![/*])\S/.test(text);
}

function takeWord(text: string): { word: string; rest: string } {
  const trimmed = text.trimStart();
  const end = trimmed.search(/\s/);
  if (end < 0) return { word: trimmed, rest: '' };
  return { word: trimmed.slice(0, end), rest: trimmed.slice(end).trim() };
}
