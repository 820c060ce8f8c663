/** Makes commands from the prompts of MCP servers. The MCP client implements `PromptSource`. */
import { type PartListUnion, visibleName } from '@gemini-cli/core';
import { failure, info } from '../builtin/define.js';
import { CommandKind, type ICommandLoader, type SlashCommand } from '../types.js';
import { parsePromptArguments } from './prompt-arguments.js';

export interface PromptArgument {
  name: string;
  description?: string;
  required?: boolean;
}

export interface ServerPrompt {
  server: string;
  name: string;
  description?: string;
  arguments: readonly PromptArgument[];
  /** Asks the server for the finished prompt. */
  get(values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<PartListUnion>;
}

export interface PromptSource {
  prompts(): readonly ServerPrompt[];
}

export class McpPromptLoader implements ICommandLoader {
  constructor(private readonly source: PromptSource) {}

  async loadCommands(): Promise<SlashCommand[]> {
    return this.source
      .prompts()
      .filter(({ name }) => name.trim() !== '')
      .map(toCommand);
  }
}

function toCommand(prompt: ServerPrompt): SlashCommand {
  const { server, name } = prompt;
  return {
    name: commandName(name),
    kind: CommandKind.MCP_PROMPT,
    namespace: server,
    description: visibleName(prompt.description ?? `Prompt from ${server}`),
    autoExecute: prompt.arguments.length === 0,
    action: async (context, args) => {
      const values = parsePromptArguments(args, prompt.arguments);
      if (typeof values === 'string')
        return failure(`/${context.invocation?.name ?? commandName(name)}: ${values}`);
      const content = await prompt.get(values, context.signal ?? new AbortController().signal);
      const display = context.invocation?.raw ?? `/${commandName(name)}`;
      return { type: 'submit_prompt', content, display, typed: display };
    },
    completion: (_context, partialArg) => {
      const typed = partialArg.slice(partialArg.lastIndexOf(' ') + 1);
      const before = partialArg.slice(0, partialArg.length - typed.length);
      return prompt.arguments
        .filter(({ name }) => !before.includes(`--${name}=`))
        .map(({ name }) => `--${name}="`)
        .filter((word) => word.startsWith(typed))
        .map((word) => before + word);
    },
    subCommands: [
      {
        name: 'help',
        kind: CommandKind.MCP_PROMPT,
        description: 'Show the arguments',
        autoExecute: true,
        action: () => info(usageOf(prompt)),
      },
    ],
  };
}

/** A command is one word. */
function commandName(name: string): string {
  return name.trim().replace(/\s+/g, '-');
}

function usageOf({ name: own, arguments: all }: ServerPrompt): string {
  const name = commandName(own);
  if (all.length === 0) return visibleName(`/${name} takes no arguments.`);
  const lines = all.map(({ name, description = '', required }) =>
    visibleName(`  --${name}="…"  ${description}${required ? ' (required)' : ''}`),
  );
  return [`Arguments of /${visibleName(name)}, by name or in this order:`, ...lines].join('\n');
}
