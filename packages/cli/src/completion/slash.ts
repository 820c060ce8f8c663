/** Suggestions for slash commands, their sub-commands and arguments. */
import { visibleName } from '@gemini-cli/core';
import { findCommand } from '../commands/parse-command.js';
import type { CommandContext, SlashCommand } from '../commands/types.js';
import { rankBy } from './fuzzy.js';
import type { CompletionSource, Suggestion, Suggestions } from './types.js';

export interface SlashHost {
  commands(): readonly SlashCommand[];
  context(): CommandContext;
}

/** Listed first after a lone `/`. */
const COMMON = 'help clear model resume compress copy undo memory stats settings theme tools auth quit'.split(
  ' ',
);

export function slashSource({ commands, context }: SlashHost): CompletionSource {
  return {
    complete({ text, cursor }) {
      const place = findPlace(text, cursor, commands());
      if (!place) return undefined;
      const named = place.level && suggestNames(place, place.level);
      const { command, rest } = place;
      if (!command?.completion) return named;
      const answer = command.completion(context(), rest.text);
      const merge = (values: readonly string[]) => withArguments(values, place, named);
      return answer instanceof Promise ? answer.then(merge) : merge(answer);
    },
  };
}

interface Place {
  /** The command before the cursor; undefined while its name is typed. */
  command: SlashCommand | undefined;
  /** The commands that the word at the cursor may name; undefined when it is an argument. */
  level: readonly SlashCommand[] | undefined;
  /** The text between the command and the cursor. */
  rest: { text: string; start: number };
  /** End of the text to replace. */
  end: number;
}

function findPlace(text: string, cursor: number, commands: readonly SlashCommand[]): Place | undefined {
  const typed = text.slice(0, cursor);
  if (!/^\/(?![/*])[^\n]*$/.test(typed)) return undefined;
  let level: readonly SlashCommand[] = commands;
  let command: SlashCommand | undefined;
  let start = 1;
  for (;;) {
    const word = /^(\S+)(\s+)/.exec(typed.slice(start));
    const found = word?.[1] ? findCommand(level, word[1]) : undefined;
    if (!word || !found) break;
    command = found;
    level = found.subCommands ?? [];
    start += word[0].length;
  }
  const rest = { text: typed.slice(start), start };
  const isName = level.length > 0 && !/\s/.test(rest.text);
  if (!isName && !command?.completion) return undefined;
  const end = isName && !command?.completion ? cursor + restOfWord(text, cursor) : cursor;
  return { command, level: isName ? level : undefined, rest, end };
}

function restOfWord(text: string, cursor: number): number {
  return /^\S*/.exec(text.slice(cursor))?.[0].length ?? 0;
}

function suggestNames({ command, rest, end }: Place, level: readonly SlashCommand[]): Suggestions {
  const query = rest.text;
  const offered = level.filter(({ name, hidden }) => !hidden || name === query);
  const sorted = query === '' && !command ? commonFirst(offered) : offered;
  const ranked = rankBy(query, sorted, ({ name, altNames = [] }) => [name, ...altNames]);
  return {
    items: [...ownEntry(command, query), ...ranked.map((item) => toSuggestion(item, query))],
    start: rest.start,
    end,
    // Enter after `/stats` runs the command itself, not its first sub-command.
    preselect: !(query === '' && command?.autoExecute === true),
  };
}

/** The entry for the command itself, unless the user has typed the full name of a sub-command. */
function ownEntry(command: SlashCommand | undefined, query: string): Suggestion[] {
  const entry = command?.ownEntry;
  if (!entry?.name.startsWith(query) || command?.subCommands?.some(({ name }) => name === query)) return [];
  return [{ label: entry.name, value: '', description: entry.description, runs: true }];
}

function toSuggestion(command: SlashCommand, query: string): Suggestion {
  const { name, altNames = [], description, autoExecute } = command;
  const alias = name.startsWith(query) ? undefined : altNames.find((alias) => alias.startsWith(query));
  return {
    label: visibleName(alias ? `${name} (${alias})` : name),
    value: `${name} `,
    description: visibleName(description),
    ...(autoExecute && { runs: true }),
  };
}

function commonFirst(commands: readonly SlashCommand[]): SlashCommand[] {
  const rank = ({ name }: SlashCommand) => (COMMON.includes(name) ? COMMON.indexOf(name) : COMMON.length);
  return [...commands].sort((a, b) => rank(a) - rank(b));
}

function withArguments(
  values: readonly string[],
  { command, rest, end }: Place,
  named: Suggestions | undefined,
): Suggestions {
  const items = values.map((value) => ({ label: visibleName(value), value }));
  return {
    items: [...(named?.items ?? []), ...items],
    start: rest.start,
    end,
    preselect: !(rest.text === '' && command?.autoExecute === true),
  };
}
