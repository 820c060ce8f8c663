/** Runs slash commands and carries out what they return. Commands themselves never touch the screen. */
import {
  type Config,
  createLog,
  type LoadedSettings,
  type Message,
  messageOf,
  randomUuid,
} from '@gemini-cli/core';
import { CommandService, onceEach } from '../../../commands/command-service.js';
import { GitService } from '../../../commands/git-service.js';
import { builtinCommands } from '../../../commands/loaders/builtin.js';
import { parseCommand } from '../../../commands/parse-command.js';
import { isSafeNow, runCommand } from '../../../commands/run-command.js';
import type {
  AppPort,
  CommandContext,
  ConfirmActionReturn,
  ICommandLoader,
  SlashCommand,
  SlashCommandActionReturn,
} from '../../../commands/types.js';
import { extensionActionsOf } from '../../../extensions/of-session.js';
import type { HistoryItemWithoutId, StatsView } from '../../../history/item.js';
import type { Store } from '../../store/store.js';
import type { Conversation } from '../conversation/conversation.js';

export interface CommandRunnerOptions {
  store: Store;
  conversation: Conversation;
  config: () => Config | undefined;
  settings: () => LoadedSettings;
  port: Omit<AppPort, 'commands'>;
  loaders: () => Promise<ICommandLoader[]>;
  stats: () => StatsView;
  openDialog: (name: string, props: Record<string, unknown>, onClose?: (result: unknown) => void) => void;
  clear: () => void;
  loadHistory: (items: readonly HistoryItemWithoutId[], input?: string) => void;
  setClientHistory: (history: readonly Message[]) => Promise<void>;
  toggleVim: () => Promise<boolean>;
  quit: (items: readonly HistoryItemWithoutId[], options: { deleteSession: boolean }) => void;
}

export class CommandRunner {
  /** Until all loaders have finished, the built-in ones only. */
  private commands: readonly SlashCommand[] = builtinCommands();
  private hasLoaded = false;
  private running: AbortController | undefined;
  private readonly allowedShellCommands = new Set<string>();
  private readonly tell = onceEach((message) => this.add({ type: 'warning', text: message }));

  constructor(private readonly options: CommandRunnerOptions) {}

  getCommands(): readonly SlashCommand[] {
    return this.commands;
  }

  async reload(): Promise<void> {
    const loaders = await this.options.loaders();
    const service = await CommandService.create(loaders, new AbortController().signal, this.tell);
    this.commands = service.getCommands();
    this.hasLoaded = this.options.config() !== undefined;
  }

  isSafeNow(line: string): boolean {
    return isSafeNow(line, this.commands);
  }

  async run(line: string, { overwriteConfirmed = false } = {}): Promise<void> {
    // A command from a file may be entered before the files are read.
    const isUnknown = () => !parseCommand(line, this.commands).command;
    if (!this.hasLoaded && isUnknown()) await this.reload();
    const controller = new AbortController();
    this.running = controller;
    if (isUnknown()) await this.waitForPrompts(controller.signal);
    const context = {
      ...this.context(),
      signal: controller.signal,
      ...(overwriteConfirmed && { overwriteConfirmed }),
    };
    const { result } = await runCommand(line, this.commands, context);
    this.running = undefined;
    if (this.options.store.getState().streaming === 'idle')
      this.options.store.dispatch({ type: 'pending_set', item: undefined });
    if (result) await this.apply(result);
  }

  /** The command may be a prompt of an MCP server that is still connecting. */
  private async waitForPrompts(signal: AbortSignal): Promise<void> {
    const config = this.options.config();
    if (!config?.getMcpClientManager()?.waitingFor().length) return;
    await config.mcpReady(signal);
    await this.reload();
  }

  /** @returns false: no command is running */
  cancel(): boolean {
    this.running?.abort();
    return this.running !== undefined;
  }

  context(): CommandContext {
    const { store, settings, port, stats } = this.options;
    const engine = this.options.config();
    return {
      services: {
        config: engine ?? null,
        settings: settings(),
        git: new GitService(port.cwd),
        logger: createLog('commands'),
        ...(engine && { extensions: extensionActionsOf(engine, settings()) }),
      },
      ui: {
        addItem: (item) => this.add(item),
        clear: () => this.options.clear(),
        setDebugMessage: (message) =>
          store.dispatch({ type: 'toast', toast: { text: message, tone: 'info' } }),
        pendingItem: store.getState().pending[0] ?? null,
        setPendingItem: (item) => store.dispatch({ type: 'pending_set', item: item ?? undefined }),
        loadHistory: (history, input) => this.options.loadHistory(history, input),
        toggleCorgiMode: () => this.add({ type: 'info', text: 'Woof.' }),
        toggleVimEnabled: () => this.options.toggleVim(),
        reloadCommands: () => void this.reload(),
        openAgentConfigDialog: (name, displayName, definition) =>
          this.options.openDialog('agentConfig', { name, displayName, definition }),
        extensionsUpdateState: new Map(),
        removeComponent: () => store.dispatch({ type: 'dialog_closed' }),
        questions: {
          confirm: async (prompt) => (await this.ask('confirmAction', { prompt })) === true,
          value: async (question) => {
            const answer = await this.ask('value', { question });
            return typeof answer === 'string' ? answer : undefined;
          },
        },
        app: { ...port, commands: () => this.commands },
      },
      session: { stats: stats(), sessionShellAllowlist: this.allowedShellCommands },
    };
  }

  private ask(name: string, props: Record<string, unknown>): Promise<unknown> {
    return new Promise((resolve) => this.options.openDialog(name, props, resolve));
  }

  private async apply(result: SlashCommandActionReturn): Promise<void> {
    switch (result.type) {
      case 'message':
        return this.add({ type: result.messageType, text: result.content });
      case 'items':
        for (const item of result.items) this.add(item);
        return;
      case 'quit':
        return this.options.quit(result.messages, { deleteSession: result.deleteSession ?? false });
      case 'dialog':
        return this.options.openDialog(result.dialog, result.props ?? {}, (closedWith) => {
          const line = result.next?.(closedWith);
          if (line !== undefined) void this.run(line);
        });
      case 'custom_dialog':
        return this.options.openDialog('custom', { component: result.component });
      case 'submit_prompt':
        return this.options.conversation.submitParts(result.content, result);
      case 'load_history':
        await this.options.setClientHistory(result.clientHistory);
        this.options.loadHistory(result.history, result.input);
        if (result.propose) await this.options.conversation.propose(result.propose);
        return;
      case 'tool':
        return this.options.conversation.propose({
          callId: randomUuid(),
          name: result.toolName,
          args: result.toolArgs,
        });
      case 'confirm_shell_commands':
        return this.confirmShell(result.commandsToConfirm, result.originalInvocation.raw);
      case 'confirm_action':
        return this.confirmAction(result);
      case 'logout':
        return this.options.port.signOut();
    }
  }

  private confirmAction({ prompt, files, remember, originalInvocation }: ConfirmActionReturn): void {
    const props = { prompt, files, ...(remember && { remember: { label: remember.label } }) };
    this.options.openDialog('confirmAction', props, async (answer) => {
      if (answer !== true && answer !== 'remember') return;
      try {
        if (answer === 'remember') await remember?.save();
      } catch (error) {
        this.add({ type: 'error', text: messageOf(error) });
        return;
      }
      await this.run(originalInvocation.raw, { overwriteConfirmed: true });
    });
  }

  /** One question for all commands of a prompt. */
  private confirmShell(commands: readonly string[], raw: string): void {
    this.options.openDialog('confirmShell', { commands }, (answer) => {
      if (answer !== 'once' && answer !== 'session') {
        this.add({ type: 'info', text: 'The execution of shell commands was declined; nothing was sent.' });
        return;
      }
      for (const command of commands) this.allowedShellCommands.add(command);
      void this.run(raw).finally(() => {
        if (answer === 'once') for (const command of commands) this.allowedShellCommands.delete(command);
      });
    });
  }

  private add(item: HistoryItemWithoutId): void {
    this.options.store.dispatch({ type: 'item_added', item });
  }
}
