/** Slash commands in headless runs: each becomes a prompt, a text, or an input error. */
import {
  type Config,
  FatalInputError,
  type LoadedSettings,
  type PartListUnion,
  type UserCall,
} from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../history/item.js';
import { plainItem } from '../history/plain-item.js';
import { CommandService, onceEach } from './command-service.js';
import type { ExtensionActions } from './extension-actions.js';
import { BuiltinCommandLoader } from './loaders/builtin.js';
import { McpPromptLoader } from './loaders/mcp-prompt.js';
import { serverPrompts } from './loaders/server-prompts.js';
import { SkillCommandLoader } from './loaders/skills.js';
import { isCommandLine, parseCommand } from './parse-command.js';
import { runCommand } from './run-command.js';
import { fileCommands, screenlessContext } from './screenless.js';
import type { ICommandLoader, SlashCommand, SlashCommandActionReturn } from './types.js';

export interface HeadlessRequest {
  prompt: string;
  config: Config;
  settings: LoadedSettings;
  extensions?: ExtensionActions;
  signal: AbortSignal;
  /** Writes to stderr. */
  warn(message: string): void;
}

export type HeadlessResult =
  /** Sent instead of the typed line; `@` in it is plain text. */
  | { kind: 'prompt'; parts: PartListUnion; typed?: string; call?: UserCall }
  /** Printed; the model is not called. */
  | { kind: 'text'; text: string }
  /** Not a command: the prompt goes to the model unchanged. */
  | { kind: 'unknown' };

/** @throws FatalInputError (exit 42) when the command fails, is not allowed, or would have to ask the user */
export async function runHeadlessCommand(request: HeadlessRequest): Promise<HeadlessResult> {
  const { prompt, config, signal } = request;
  if (!isCommandLine(prompt)) return { kind: 'unknown' };
  const warn = onceEach(request.warn);
  const loaders = [
    new BuiltinCommandLoader(),
    fileCommands(config, warn),
    new SkillCommandLoader(() => config),
  ];
  const known = (await CommandService.create(loaders, signal, warn)).getCommands();
  const commands = parseCommand(prompt, known).command
    ? known
    : await withPrompts(loaders, { config, signal, warn });
  if (!parseCommand(prompt, commands).command) return { kind: 'unknown' };
  const items: HistoryItemWithoutId[] = [];
  const { result } = await runCommand(prompt, commands, screenlessContext(request, commands, items));
  return conclude(prompt, result, items, warn);
}

/** Servers take time to connect, so their prompts are loaded only for a word that nothing else is called. */
async function withPrompts(
  loaders: readonly ICommandLoader[],
  { config, signal, warn }: Pick<HeadlessRequest, 'config' | 'signal' | 'warn'>,
): Promise<readonly SlashCommand[]> {
  await config.mcpReady(signal);
  const prompts = new McpPromptLoader(serverPrompts(() => config));
  return (await CommandService.create([...loaders, prompts], signal, warn)).getCommands();
}

function conclude(
  prompt: string,
  result: SlashCommandActionReturn | undefined,
  items: readonly HistoryItemWithoutId[],
  warn: (message: string) => void,
): HeadlessResult {
  const said = items.map(plainItem).filter(Boolean);
  const text = (...more: string[]): HeadlessResult => ({
    kind: 'text',
    text: [...said, ...more].map((line) => `${line}\n`).join(''),
  });
  switch (result?.type) {
    case undefined:
      return text();
    case 'submit_prompt':
      for (const line of said) warn(line);
      return {
        kind: 'prompt',
        parts: result.content,
        typed: result.typed,
        ...(result.call && { call: result.call }),
      };
    case 'message':
      if (result.messageType === 'error') throw new FatalInputError(result.content);
      return text(result.content);
    case 'items':
      return text(...result.items.map(plainItem).filter(Boolean));
    case 'quit':
      return text();
    case 'dialog':
      if (result.plain === undefined) throw needsScreenFor(prompt);
      return text(result.plain);
    case 'confirm_shell_commands':
      throw new FatalInputError(
        `${prompt}: a headless run cannot ask you to approve these commands: ${result.commandsToConfirm.join('; ')}. Allow them in a policy, or with tools.allowed in settings.json.`,
      );
    default:
      throw needsScreenFor(prompt);
  }
}

function needsScreenFor(prompt: string): FatalInputError {
  return new FatalInputError(`${prompt} needs the interactive program: start gemini without -p.`);
}
