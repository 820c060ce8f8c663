/** The contract of slash commands: a command is data and an action that returns a value; the app carries it out. */
import type {
  AgentDefinition,
  AgentSession,
  Config,
  FilesReport,
  LoadedSettings,
  Log,
  Message,
  PartListUnion,
  UserCall,
} from '@gemini-cli/core';
import type { ReactNode } from 'react';
import type { HistoryItem, HistoryItemWithoutId, SessionStatsState } from '../history/item.js';
import type { DialogName } from './dialog-name.js';
import type { ExtensionActions, ValueQuestion } from './extension-actions.js';
import type { GitService } from './git-service.js';

export type Logger = Log;

export enum CommandKind {
  BUILT_IN = 'built-in',
  FILE = 'file',
  MCP_PROMPT = 'mcp-prompt',
  AGENT = 'agent',
  SKILL = 'skill',
}

/** Undefined: nothing is left for the app to do. */
type ActionAnswer = SlashCommandActionReturn | undefined;

export interface SlashCommand {
  name: string;
  altNames?: string[];
  description: string;
  hidden?: boolean;
  kind: CommandKind;
  /** Enter on the highlighted suggestion runs it. */
  autoExecute?: boolean;
  /** May run while the model works. */
  isSafeConcurrent?: boolean;
  extensionName?: string;
  extensionId?: string;
  /** A built-in command that Gemini CLI does not have: a user's or project's command of this name takes its place. */
  yields?: boolean;
  /** Prefix in a name conflict: `user`, `workspace`, an extension, a server. Absent: the command keeps its name. */
  namespace?: string;
  action?: (context: CommandContext, args: string) => ActionAnswer | Promise<ActionAnswer>;
  completion?: (context: CommandContext, partialArg: string) => Promise<string[]> | string[];
  showCompletionLoading?: boolean;
  subCommands?: SlashCommand[];
  /** The action of the command itself takes no arguments: a word that is no sub-command is a mistake. */
  onlySubCommands?: boolean;
  /** The entry for the command itself in the list of its sub-commands. */
  ownEntry?: { name: string; description: string };
}

export interface CommandContext {
  invocation?: { raw: string; name: string; args: string };
  services: {
    config: Config | null;
    settings: LoadedSettings;
    git: GitService | undefined;
    logger: Logger;
    /** Absent: extensions cannot be installed, updated or configured from here. */
    extensions?: ExtensionActions;
  };
  ui: CommandUi;
  session: { stats: SessionStatsState; sessionShellAllowlist: Set<string> };
  overwriteConfirmed?: boolean;
  /** Aborted when the user cancels. */
  signal?: AbortSignal;
}

export interface CommandUi {
  addItem(item: HistoryItemWithoutId, timestamp?: number): void;
  clear(): void;
  setDebugMessage(message: string): void;
  pendingItem: HistoryItemWithoutId | null;
  setPendingItem(item: HistoryItemWithoutId | null): void;
  loadHistory(history: HistoryItem[], postLoadInput?: string): void;
  toggleCorgiMode(): void;
  toggleVimEnabled(): Promise<boolean>;
  reloadCommands(): void;
  openAgentConfigDialog(name: string, displayName: string, definition: AgentDefinition): void;
  extensionsUpdateState: Map<string, unknown>;
  removeComponent(): void;
  /** Questions while a command runs; absent where the user cannot be asked. */
  questions?: UserQuestions;
  app: AppPort;
}

export interface UserQuestions {
  confirm(text: string): Promise<boolean>;
  /** @returns undefined when the user cancels */
  value(question: ValueQuestion): Promise<string | undefined>;
}

/** What commands may ask of the running app. */
export interface AppPort {
  commands(): readonly SlashCommand[];
  history(): readonly HistoryItem[];
  lastModelText(): string | undefined;
  cwd: string;
  copyToClipboard(text: string): Promise<void>;
  /** False when no browser can be opened. */
  openUrl(url: string): Promise<boolean>;
  openEditor(path: string): Promise<void>;
  setInput(text: string): void;
  /** Current key bindings for /help; absent in headless runs. */
  keyHelp?(): { keys: string; action: string }[];
  toggleShortcuts(): void;
  toggleTasks(): void;
  /** Starts an empty conversation under a new id. */
  newSession(): Promise<void>;
  /** Continues a recorded session. */
  resumeSession(identifier: string): Promise<void>;
  changeSetting(scope: 'user' | 'workspace', key: string, value: unknown): Promise<void>;
  /** For this session. @throws what its provider lacks; nothing has changed then */
  changeModel(model: string): Promise<void>;
  setApprovalMode(mode: string): void;
  /** Names after `-e`, or those that `/extensions` has chosen for this session; absent: all that are enabled. */
  chosenExtensions(): readonly string[] | undefined;
  /**
   * Loads extensions again for the same conversation: servers, hooks, commands, skills, agents, context files.
   * @param chosen only these; absent: all that are enabled
   */
  reloadExtensions(chosen: readonly string[] | undefined): Promise<void>;
  signOut(): Promise<void>;
}

/** A tool call that is proposed again once the history is loaded. */
export type ProposedCall = Parameters<AgentSession['propose']>[0];

/** Results that every front end can carry out. */
export type CommandActionReturn<History extends readonly HistoryItemWithoutId[]> =
  | { type: 'message'; messageType: 'info' | 'warning' | 'error'; content: string }
  | { type: 'items'; items: History }
  | {
      type: 'submit_prompt';
      content: PartListUnion;
      display?: string;
      /** The part the user typed, without files and command output; absent: all of the text. */
      typed?: string;
      /** A tool call that runs before the model answers. */
      call?: UserCall;
    }
  | {
      type: 'load_history';
      history: History;
      clientHistory: readonly Message[];
      input?: string;
      propose?: ProposedCall;
    }
  | { type: 'tool'; toolName: string; toolArgs: Record<string, unknown> };

export interface QuitActionReturn {
  type: 'quit';
  messages: HistoryItemWithoutId[];
  deleteSession?: boolean;
}

export interface OpenDialogActionReturn {
  type: 'dialog';
  dialog: DialogName;
  props?: Record<string, unknown>;
  /** The same as text, for runs without a screen. Absent: the command needs one. */
  plain?: string;
  /** The command that follows from what the dialog was closed with. */
  next?: (result: unknown) => string | undefined;
}

export interface ConfirmShellCommandsActionReturn {
  type: 'confirm_shell_commands';
  commandsToConfirm: string[];
  originalInvocation: { raw: string };
}

export interface ConfirmActionReturn {
  type: 'confirm_action';
  prompt: ReactNode;
  /** The same as data: the screen draws the differences in files and asks `question`. */
  files?: Omit<FilesReport, 'undoIds'> & { question: string };
  /** Run again, with `overwriteConfirmed`, once the user agrees. */
  originalInvocation: { raw: string };
  /** A third answer: yes, and `save` what will not be asked again. */
  remember?: { label: string; save(): Promise<void> };
}

export interface OpenCustomDialogActionReturn {
  type: 'custom_dialog';
  /** Stands in place of the input until Esc, or until the command calls `ui.removeComponent`. */
  component: ReactNode;
}

export interface LogoutActionReturn {
  type: 'logout';
}

export type SlashCommandActionReturn =
  | CommandActionReturn<HistoryItemWithoutId[]>
  | QuitActionReturn
  | OpenDialogActionReturn
  | ConfirmShellCommandsActionReturn
  | ConfirmActionReturn
  | OpenCustomDialogActionReturn
  | LogoutActionReturn;

export interface ICommandLoader {
  loadCommands(signal: AbortSignal): Promise<SlashCommand[]>;
}
