/** Loads commands from TOML files of the user, the project and extensions. */
import { sep } from 'node:path';
import { messageOf, parseToml, visibleName } from '@gemini-cli/core';
import type { Notify } from '../command-service.js';
import { buildPrompt } from '../prompt-processors/build-prompt.js';
import { CommandKind, type ICommandLoader, type SlashCommand } from '../types.js';
import { type CommandFile, findCommandFiles, readCommandFile } from './command-files.js';

export interface CommandFolder {
  directory: string;
  /** `user`, `workspace`, or the name of the extension. */
  namespace: string;
  extension?: { name: string; id?: string; path?: string };
}

const MAX_DESCRIPTION = 100;

export class FileCommandLoader implements ICommandLoader {
  /** @param folders in order: the user's, the project's, those of extensions */
  constructor(
    private readonly folders: () => readonly CommandFolder[],
    private readonly notify: Notify,
  ) {}

  async loadCommands(signal: AbortSignal): Promise<SlashCommand[]> {
    const commands: SlashCommand[] = [];
    const problems: string[] = [];
    for (const folder of this.folders()) {
      for (const file of findCommandFiles(folder.directory)) {
        if (signal.aborted) return commands;
        try {
          const { prompt, description } = await parseCommandFile(file.path);
          commands.push(toCommand(file, folder, withPaths(prompt, folder), description));
        } catch (error) {
          const problem = `${visibleName(file.path)}: ${messageOf(error)}`;
          problems.push(problem);
          commands.push(brokenCommand(file, folder, problem));
        }
      }
    }
    if (problems.length > 0) this.notify(skipped(problems));
    return commands;
  }
}

/** Not the project's path, which may come from a stranger: a command may put it into a shell. */
function withPaths(prompt: string, { extension }: CommandFolder): string {
  const path = extension?.path;
  if (path === undefined) return prompt;
  return prompt.replace(/\$\{(extensionPath|\/|pathSeparator)\}/g, (_written, name: string) =>
    name === 'extensionPath' ? path : sep,
  );
}

const NAMED_PROBLEMS = 3;

/** One line for all bad files. */
function skipped(problems: readonly string[]): string {
  const rest = problems.length - NAMED_PROBLEMS;
  const named = problems.slice(0, NAMED_PROBLEMS).join('; ');
  const files = problems.length === 1 ? 'command file' : `${problems.length} command files`;
  return `Skipped ${files}: ${named}${rest > 0 ? `; and ${rest} more. Run one to see its mistake` : ''}`;
}

/** Says what is wrong when it is called: its line must not go to the model as text. */
function brokenCommand(
  file: CommandFile,
  { namespace, extension }: CommandFolder,
  problem: string,
): SlashCommand {
  return {
    name: file.name,
    kind: CommandKind.FILE,
    description: 'This command file has a mistake',
    hidden: true,
    namespace,
    ...(extension && { extensionName: extension.name, extensionId: extension.id }),
    action: () => ({ type: 'message', messageType: 'error', content: problem }),
  };
}

/** @throws UserError saying what is wrong */
export async function parseCommandFile(path: string): Promise<{ prompt: string; description?: string }> {
  const { prompt, description } = await parseToml(readCommandFile(path));
  if (typeof prompt !== 'string') throw new Error('it has no prompt. Add: prompt = "…"');
  if (description === undefined) return { prompt };
  if (typeof description !== 'string') throw new Error('its description is not a string.');
  return { prompt, description };
}

function toCommand(
  { name, relative }: CommandFile,
  { namespace, extension }: CommandFolder,
  prompt: string,
  description = `Custom command from ${relative.split('/').at(-1)}`,
): SlashCommand {
  const plain = visibleName(description.replace(/\s+/g, ' ').trim());
  const short = plain.length > MAX_DESCRIPTION ? `${plain.slice(0, MAX_DESCRIPTION - 3)}...` : plain;
  return {
    name,
    kind: CommandKind.FILE,
    description: extension ? `[${visibleName(extension.name)}] ${short}` : short,
    namespace,
    autoExecute: !prompt.includes('{{args}}'),
    ...(extension && { extensionName: extension.name, extensionId: extension.id }),
    action: (context, args) => buildPrompt(prompt, context, args),
  };
}
