/** Finds a command by its words and runs it. */
import { createLog, messageOf, UserError } from '@gemini-cli/core';
import type { Command, CommandContext } from './command.js';
import { CommandError } from './command-error.js';
import { COMMANDS } from './table.js';

export type CommandRun =
  | { name: string; data: Promise<unknown>; events?: undefined }
  | { name: string; events: AsyncIterable<unknown>; data?: undefined };

const MAX_WORDS = 100;

const log = createLog('a2a-commands');

/** @throws CommandError 400, 404 */
export function startCommand(words: readonly string[], context: CommandContext): CommandRun {
  const { command, args } = findCommand(words);
  if (command.needsWorkspace && context.workspace === undefined)
    throw new CommandError(400, `${command.name} needs a workspace: set CODER_AGENT_WORKSPACE_PATH.`);
  const { name } = command;
  if (command.stream) return { name, events: command.stream(context, args) };
  return { name, data: withKnownErrors(name, command.run?.(context, args)) };
}

/** The words of a request: `command` may have several words, `args` may be a text or a list. */
export function wordsOf(command: unknown, args: unknown): string[] {
  const list = (value: unknown): string[] => {
    if (typeof value === 'string') return value.split(/\s+/).filter((word) => word !== '');
    if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return value;
    throw new CommandError(400, 'A command is a text or a list of texts, and so are its arguments.');
  };
  const words = [...list(command ?? ''), ...(Array.isArray(args) ? list(args) : list(args ?? ''))];
  if (words.length === 0) throw new CommandError(400, 'The command is missing.');
  if (words.length > MAX_WORDS) throw new CommandError(400, `A command has up to ${MAX_WORDS} words.`);
  return words;
}

function findCommand(words: readonly string[]): { command: Command; args: readonly string[] } {
  const top = COMMANDS.find(({ name }) => name === words[0]);
  if (!top) throw new CommandError(404, `There is no command ${JSON.stringify(words[0])}.`);
  const sub = top.subCommands?.find(({ name }) => name === words.slice(0, 2).join(' '));
  return sub ? { command: sub, args: words.slice(2) } : { command: top, args: words.slice(1) };
}

async function withKnownErrors(name: string, work: Promise<unknown> | undefined): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    throw asCommandError(name, error);
  }
}

export function asCommandError(name: string, error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  log.error(`the command ${name} failed`, error);
  const reason = error instanceof UserError ? messageOf(error) : 'The server failed. Its log says more.';
  return new CommandError(500, `${name} failed: ${reason}`);
}
