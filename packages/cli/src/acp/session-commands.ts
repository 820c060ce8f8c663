/** Slash commands of a session in an editor: those that need no screen, and all that the user, extensions and servers add. */
import { type Config, type LoadedSettings, toParts } from '@gemini-cli/core';
import type { CommandResult, CommandRun, HostedCommand } from '@gemini-cli/sdk/acp/serve';
import { CommandService, onceEach } from '../commands/command-service.js';
import { BuiltinCommandLoader } from '../commands/loaders/builtin.js';
import { McpPromptLoader } from '../commands/loaders/mcp-prompt.js';
import { serverPrompts } from '../commands/loaders/server-prompts.js';
import { SkillCommandLoader } from '../commands/loaders/skills.js';
import { parseCommand } from '../commands/parse-command.js';
import { runCommand } from '../commands/run-command.js';
import { fileCommands, screenlessContext } from '../commands/screenless.js';
import { CommandKind, type SlashCommand, type SlashCommandActionReturn } from '../commands/types.js';
import { extensionActionsOf } from '../extensions/of-session.js';
import type { HistoryItemWithoutId } from '../history/item.js';
import { plainItem } from '../history/plain-item.js';

/** The built-in commands that make sense in an editor. */
const OFFERED: ReadonlySet<string> = new Set(['memory', 'extensions', 'init', 'restore', 'about', 'help']);
const RELOAD = 'The change takes effect in the next session.';

export interface SessionCommandsParts {
  config: Config;
  settings: LoadedSettings;
  warn: (message: string) => void;
}

export class SessionCommands {
  private last: { commands: HostedCommand[]; text: string } | undefined;
  private readonly warn: (message: string) => void;

  constructor(private readonly parts: SessionCommandsParts) {
    this.warn = onceEach(parts.warn);
  }

  async listed(): Promise<readonly HostedCommand[]> {
    const commands = (await this.load()).filter(({ hidden }) => !hidden).map(listedCommand);
    const text = JSON.stringify(commands);
    if (this.last?.text !== text) this.last = { commands, text };
    return this.last.commands;
  }

  async run(line: string, run: CommandRun): Promise<CommandResult> {
    const commands = await this.load(run.signal);
    if (!parseCommand(line, commands).command) return { kind: 'unknown' };
    const said: string[] = [];
    const items = {
      push: (...more: HistoryItemWithoutId[]) => said.push(...more.map(plainItem).filter(Boolean)),
    };
    const { config, settings } = this.parts;
    const context = screenlessContext(
      {
        config,
        settings,
        extensions: extensionActionsOf(config, settings),
        signal: run.signal,
        questions: { confirm: (text) => run.confirm(line, text), value: async () => undefined },
        onExtensionsChanged: () => void said.push(RELOAD),
      },
      commands,
      items,
    );
    for (let agreed = 0; ; agreed++) {
      const { result } = await runCommand(line, commands, context);
      const wanted = questionOf(result);
      if (!wanted || agreed === MAX_QUESTIONS) {
        const concluded = conclude(line, result, said);
        if (concluded.kind === 'prompt') for (const text of said) run.tell(`${text}\n`);
        return concluded;
      }
      if (!(await run.confirm(line, wanted.text))) return { kind: 'text', text: 'Nothing was changed.\n' };
      wanted.agree(context);
    }
  }

  private async load(signal: AbortSignal = new AbortController().signal): Promise<readonly SlashCommand[]> {
    const { config } = this.parts;
    const loaders = [
      { loadCommands: async () => (await new BuiltinCommandLoader().loadCommands()).filter(isOffered) },
      fileCommands(config, this.warn),
      new SkillCommandLoader(() => config),
      new McpPromptLoader(serverPrompts(() => config)),
    ];
    return (await CommandService.create(loaders, signal, this.warn)).getCommands();
  }
}

/** A command asks at most for its shell commands and for what it overwrites. */
const MAX_QUESTIONS = 2;

function isOffered({ name }: SlashCommand): boolean {
  return OFFERED.has(name);
}

/** Editors let the user type arguments only for commands with a hint. */
function listedCommand({
  name,
  description,
  subCommands = [],
  kind,
  completion,
}: SlashCommand): HostedCommand {
  const inner = subCommands.filter(({ hidden }) => !hidden).map((sub) => sub.name);
  const takesArguments = kind !== CommandKind.BUILT_IN || completion !== undefined;
  const hint = inner.length > 0 ? inner.join(' | ') : takesArguments ? 'arguments' : undefined;
  return { name, description, ...(hint !== undefined && { hint }) };
}

type Context = ReturnType<typeof screenlessContext>;

interface CommandQuestion {
  text: string;
  agree(context: Context): void;
}

function questionOf(result: SlashCommandActionReturn | undefined): CommandQuestion | undefined {
  if (result?.type === 'confirm_shell_commands') {
    const { commandsToConfirm } = result;
    return {
      text: `It runs these commands:\n${commandsToConfirm.join('\n')}`,
      agree: ({ session }) => {
        for (const command of commandsToConfirm) session.sessionShellAllowlist.add(command);
      },
    };
  }
  if (result?.type !== 'confirm_action') return undefined;
  const text = typeof result.prompt === 'string' ? result.prompt : (result.files?.question ?? 'Continue?');
  return {
    text,
    agree: (context) => {
      context.overwriteConfirmed = true;
    },
  };
}

function conclude(
  line: string,
  result: SlashCommandActionReturn | undefined,
  said: readonly string[],
): CommandResult {
  const text = (...more: string[]) => [...said, ...more].map((one) => `${one}\n`).join('');
  switch (result?.type) {
    case undefined:
    case 'quit':
      return { kind: 'text', text: text() };
    case 'message':
      return { kind: 'text', text: text(result.content) };
    case 'items':
      return { kind: 'text', text: text(...result.items.map(plainItem).filter(Boolean)) };
    case 'submit_prompt': {
      const { content, typed, call } = result;
      const parts = toParts(content);
      return { kind: 'prompt', parts, ...(typed !== undefined && { typed }), ...(call && { call }) };
    }
    case 'load_history': {
      const restored = 'Files and conversation are restored.';
      return { kind: 'restored', text: text(restored), ...(result.propose && { propose: result.propose }) };
    }
    case 'dialog':
      if (result.plain !== undefined) return { kind: 'text', text: text(result.plain) };
      return { kind: 'text', text: text(needsTerminal(line)) };
    default:
      return { kind: 'text', text: text(needsTerminal(line)) };
  }
}

function needsTerminal(line: string): string {
  return `${line} needs the interactive program: start gemini in a terminal.`;
}
