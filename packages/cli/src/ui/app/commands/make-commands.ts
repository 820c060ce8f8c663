/** The slash commands of this session: where they come from, and what they may do. */
import type { GeminiCLIExtension } from '@gemini-cli/core';
import type { DialogName } from '../../../commands/dialog-name.js';
import { BuiltinCommandLoader } from '../../../commands/loaders/builtin.js';
import { commandFolders } from '../../../commands/loaders/command-folders.js';
import { FileCommandLoader } from '../../../commands/loaders/file.js';
import { McpPromptLoader } from '../../../commands/loaders/mcp-prompt.js';
import { serverPrompts } from '../../../commands/loaders/server-prompts.js';
import { SkillCommandLoader } from '../../../commands/loaders/skills.js';
import type { ICommandLoader } from '../../../commands/types.js';
import type { HistoryItemWithoutId } from '../../../history/item.js';
import type { AppContext } from '../context/app-context.js';
import type { Dialogs } from '../dialogs/dialogs.js';
import { type AppPortParts, appPort } from './app-port.js';
import { CommandRunner } from './command-runner.js';

export interface CommandParts extends AppPortParts {
  dialogs: Dialogs;
  input: { toggleVim(): Promise<boolean> };
  exit: { quit(items: readonly HistoryItemWithoutId[], options: { deleteSession: boolean }): Promise<void> };
}

export function makeCommands(parts: CommandParts): CommandRunner {
  const { context, engine, chat, dialogs, services, input, exit } = parts;
  const { store } = context;
  const commands = new CommandRunner({
    store,
    port: appPort(parts),
    conversation: chat.conversation,
    config: () => engine.config,
    settings: () => context.folder.settings,
    loaders: async () => [
      ...loaders(context, () => engine.config?.getExtensions() ?? []),
      new SkillCommandLoader(() => engine.config),
      new McpPromptLoader(serverPrompts(() => engine.config)),
    ],
    stats: () => chat.stats.view(),
    openDialog: (name, props, onClose) => dialogs.open(name as DialogName, props, onClose),
    toggleVim: () => input.toggleVim(),
    quit: (items, options) => void exit.quit(items, options),
    clear: () => store.dispatch({ type: 'cleared' }),
    loadHistory: (items, text) => {
      context.replaceHistory(items);
      if (text !== undefined) services.setInput(text);
    },
    setClientHistory: async (history) => {
      const client = engine.config?.getGeminiClient();
      await client?.initialize();
      client?.getChat().setHistory([...history]);
    },
  });
  engine.onStarted((config) => {
    config.getSkillManager().onReload(() => void commands.reload());
    if (config.getExtensions().some(({ commandsFolder }) => commandsFolder)) void commands.reload();
  });
  let { mcpPrompts: prompts, editor } = store.getState().facts;
  store.subscribe(() => {
    const { facts } = store.getState();
    if (facts.mcpPrompts === prompts && facts.editor === editor) return;
    ({ mcpPrompts: prompts, editor } = facts);
    void commands.reload();
  });
  return commands;
}

function loaders(
  { folder, env, store, notice }: AppContext,
  extensions: () => readonly GeminiCLIExtension[],
): ICommandLoader[] {
  const folders = () =>
    commandFolders({
      projectRoot: folder.cwd,
      env,
      isTrusted: store.getState().facts.trusted,
      extensions: extensions().filter(({ isActive }) => isActive),
    });
  return [
    new BuiltinCommandLoader(() => store.getState().facts.editor !== undefined),
    new FileCommandLoader(folders, notice),
  ];
}
