/** Runs a typed line as a command. Every failure becomes a message for the user. */
import { messageOf, visibleText } from '@gemini-cli/core';
import { parseCommand } from './parse-command.js';
import type { CommandContext, SlashCommand, SlashCommandActionReturn } from './types.js';

export interface CommandRun {
  /** Undefined when no command has this name. */
  command: SlashCommand | undefined;
  result: SlashCommandActionReturn | undefined;
}

/** @param line begins with `/` */
export async function runCommand(
  line: string,
  commands: readonly SlashCommand[],
  context: CommandContext,
): Promise<CommandRun> {
  const { command, word, path, args } = parseCommand(line, commands);
  if (!command) return { command, result: unknown(word) };
  if (!command.action || (command.onlySubCommands && args !== ''))
    return { command, result: usage(path, command, args) };
  const invocation = { raw: line.trim(), name: command.name, args };
  const telemetry = context.services.config?.getTelemetry();
  const note = (status: 'success' | 'error') =>
    telemetry?.event('gemini_cli.slash_command', { command: path[0], subcommand: path[1], status });
  try {
    const result = (await command.action({ ...context, invocation }, args)) ?? undefined;
    note(result?.type === 'message' && result.messageType === 'error' ? 'error' : 'success');
    return { command, result };
  } catch (error) {
    note('error');
    context.services.logger.debug(`/${path.join(' ')} failed`, error);
    return { command, result: problem(`/${path.join(' ')}: ${messageOf(error)}`) };
  }
}

/** Whether the command may run while the model works. */
export function isSafeNow(line: string, commands: readonly SlashCommand[]): boolean {
  return parseCommand(line, commands).command?.isSafeConcurrent === true;
}

function unknown(word: string): SlashCommandActionReturn {
  return problem(`Unknown command: /${word}. /help lists all commands.`);
}

function usage(path: readonly string[], command: SlashCommand, args: string): SlashCommandActionReturn {
  const shown = `/${path.join(' ')}`;
  const subCommands = (command.subCommands ?? []).filter(({ hidden }) => !hidden);
  if (args !== '') {
    const names = subCommands.map(({ name }) => name).join(', ');
    return problem(`${shown} has no sub-command "${args.split(/\s/)[0]}". There are: ${names}.`);
  }
  const lines = subCommands.map(({ name, description }) => `  ${shown} ${name}  ${description}`);
  return {
    type: 'message',
    messageType: 'info',
    content: visibleText([`${shown}: ${command.description}`, ...lines].join('\n')),
  };
}

function problem(content: string): SlashCommandActionReturn {
  return { type: 'message', messageType: 'error', content: visibleText(content) };
}
