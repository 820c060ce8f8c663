/**
 * The names of the seed documents that live in the command line and the test bed, each with its signature; the compiler
 * checks most of it. Those of core: `integration-tests/package/consumer/api-names.test-d.ts`.
 */
import { type Config, LoadedSettings, type Part } from '@gemini-cli/core';
import { createTestConfig, executeCommand } from '@gemini-cli/test-utils';
import { expect, it } from 'vitest';
import { clearCommand } from '../../packages/cli/src/commands/builtin-table/conversation.js';
import { CommandService } from '../../packages/cli/src/commands/command-service.js';
import type { GitService } from '../../packages/cli/src/commands/git-service.js';
import { BuiltinCommandLoader } from '../../packages/cli/src/commands/loaders/builtin.js';
import { FileCommandLoader } from '../../packages/cli/src/commands/loaders/file.js';
import { McpPromptLoader } from '../../packages/cli/src/commands/loaders/mcp-prompt.js';
import { testContext } from '../../packages/cli/src/commands/testing/context.test-helper.js';
import {
  type CommandActionReturn,
  type CommandContext,
  CommandKind,
  type ConfirmActionReturn,
  type ConfirmShellCommandsActionReturn,
  type ICommandLoader,
  type Logger,
  type LogoutActionReturn,
  type OpenCustomDialogActionReturn,
  type OpenDialogActionReturn,
  type QuitActionReturn,
  type SlashCommand,
  type SlashCommandActionReturn,
} from '../../packages/cli/src/commands/types.js';
import {
  type HistoryItem,
  type HistoryItemWithoutId,
  MessageType,
  type SessionStatsState,
} from '../../packages/cli/src/history/item.js';
import { AtCommandProcessor } from '../../packages/cli/src/input/at-references.js';
import { App } from '../../packages/cli/src/ui/app/app.js';
import { AboutBox } from '../../packages/cli/src/ui/components/AboutBox.js';
import { AppHeader } from '../../packages/cli/src/ui/components/AppHeader.js';
import { Composer } from '../../packages/cli/src/ui/components/Composer.js';
import { MainContent } from '../../packages/cli/src/ui/components/MainContent.js';
import { GeminiMessage } from '../../packages/cli/src/ui/components/messages/GeminiMessage.js';
import { AuthDialog } from '../../packages/cli/src/ui/dialogs/auth/AuthDialog.js';
import { InboxDialog } from '../../packages/cli/src/ui/dialogs/inbox/InboxDialog.js';
import { ModelDialog } from '../../packages/cli/src/ui/dialogs/model/ModelDialog.js';
import { RewindViewer } from '../../packages/cli/src/ui/dialogs/rewind/RewindViewer.js';
import { SessionBrowser } from '../../packages/cli/src/ui/dialogs/sessions/SessionBrowser.js';
import { FolderTrustDialog } from '../../packages/cli/src/ui/dialogs/trust/FolderTrustDialog.js';
import { renderWithProviders } from '../../packages/cli/src/ui/testing/render-with-providers.test-helper.js';
import { ThemeManager } from '../../packages/cli/src/ui/themes/manager.js';

/** `value` has at least the members of `Shape`. */
function has<Shape>(_value: Shape): void {}

it('§5.1: a command has the members of SlashCommand', () => {
  const command: Required<
    Omit<SlashCommand, 'isSafeConcurrent' | 'onlySubCommands' | 'namespace' | 'ownEntry' | 'yields'>
  > = {
    name: 'a',
    altNames: ['b'],
    description: 'c',
    hidden: false,
    kind: CommandKind.AGENT,
    autoExecute: true,
    extensionName: 'd',
    extensionId: 'e',
    action: () => undefined,
    completion: () => [],
    showCompletionLoading: false,
    subCommands: [],
  };
  has<SlashCommand>(command);
  const { BUILT_IN, FILE, MCP_PROMPT, AGENT } = CommandKind;
  expect([BUILT_IN, FILE, MCP_PROMPT, AGENT]).toEqual(['built-in', 'file', 'mcp-prompt', 'agent']);
  expect(clearCommand).toMatchObject({ name: 'clear', kind: BUILT_IN, autoExecute: true });
});

it('§5.2: the context holds services, screen and session', () => {
  const context: CommandContext = testContext();
  has<{
    services: {
      config: Config | null;
      settings: LoadedSettings;
      git: GitService | undefined;
      logger: Logger;
    };
    ui: {
      addItem: (item: HistoryItemWithoutId, timestamp?: number) => void;
      clear: () => void;
      setDebugMessage: (message: string) => void;
      pendingItem: HistoryItemWithoutId | null;
      setPendingItem: (item: HistoryItemWithoutId | null) => void;
      loadHistory: (history: HistoryItem[], postLoadInput?: string) => void;
      toggleCorgiMode: () => void;
      toggleVimEnabled: () => Promise<boolean>;
      reloadCommands: () => void;
      removeComponent: () => void;
    };
    session: { stats: SessionStatsState; sessionShellAllowlist: Set<string> };
    overwriteConfirmed?: boolean;
  }>(context);
  context.ui.addItem({ type: MessageType.INFO, text: 'told' }, Date.now());
  context.services.logger.log('told');
});

it('§5.3: an action may answer with each of the named results', () => {
  const quit: QuitActionReturn = { type: 'quit', messages: [] };
  const dialog: OpenDialogActionReturn = { type: 'dialog', dialog: 'sessionBrowser', props: {} };
  const shell: ConfirmShellCommandsActionReturn = {
    type: 'confirm_shell_commands',
    commandsToConfirm: ['ls'],
    originalInvocation: { raw: '/a' },
  };
  const confirm: ConfirmActionReturn = {
    type: 'confirm_action',
    prompt: 'Sure?',
    originalInvocation: { raw: '/a' },
  };
  const custom: OpenCustomDialogActionReturn = { type: 'custom_dialog', component: 'Words' };
  const logout: LogoutActionReturn = { type: 'logout' };
  const others: CommandActionReturn<HistoryItemWithoutId[]>[] = [
    { type: 'message', messageType: 'info', content: '' },
    { type: 'submit_prompt', content: 'text' },
    { type: 'load_history', history: [], clientHistory: [] },
  ];
  has<SlashCommandActionReturn[]>([quit, dialog, shell, confirm, custom, logout, ...others]);
});

it('§5.5: CommandService gathers the commands of its loaders', async () => {
  const { signal } = new AbortController();
  const files: ICommandLoader = new FileCommandLoader(
    () => [],
    () => {},
  );
  const service = await CommandService.create([new BuiltinCommandLoader(), files], signal);
  expect(service.getCommands()).toContainEqual(clearCommand);
  has<abstract new (...args: never[]) => ICommandLoader>(McpPromptLoader);
});

it('§2.3: AtCommandProcessor puts referenced files into the prompt', async () => {
  const config = await createTestConfig();
  const { output } = await executeCommand(config, 'printf "in the file" > a.txt && echo made');
  expect(output).toContain('made');
  const options = { signal: new AbortController().signal, mask: (text: string) => text };
  const processor = new AtCommandProcessor(config, options);
  await processor.addTyped('Explain @a.txt');
  const { parts } = processor.result();
  has<Part[]>(parts);
  expect(JSON.stringify(parts)).toContain('in the file');
});

it('the components of seed 003 that have their own file are there', () => {
  const components = [
    AboutBox,
    App,
    AppHeader,
    AuthDialog,
    Composer,
    FolderTrustDialog,
    GeminiMessage,
    InboxDialog,
    MainContent,
    ModelDialog,
    RewindViewer,
    SessionBrowser,
    ThemeManager,
    renderWithProviders,
    LoadedSettings,
  ];
  for (const component of components) expect(component).toBeTypeOf('function');
});
