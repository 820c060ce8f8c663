/** Slash commands: data and pure actions. A command answers with a value; the app interprets it. */
import type { AgentSession, Config, LoadedSettings, Log, Message, PartListUnion } from '@gemini-cli/core';
import type { ReactNode } from 'react';
import type { HistoryItem, HistoryItemWithoutId, SessionStatsState } from '../history/item.js';
import type { DialogName } from './dialog-name.js';
import type { GitService } from './git-service.js';

/** The developer's log. */
export type Logger = Log;

export enum CommandKind {
  BUILT_IN = 'built-in',
  FILE = 'file',
  MCP_PROMPT = 'mcp-prompt',
  AGENT = 'agent',
  SKILL = 'skill',
}

/** Undefined: all is done. */
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
  /** What a clash of names puts in front: `user`, `workspace`, an extension, a server. Absent: keeps its name. */
  namespace?: string;
  action?: (context: CommandContext, args: string) => ActionAnswer | Promise<ActionAnswer>;
  completion?: (context: CommandContext, partialArg: string) => Promise<string[]> | string[];
  showCompletionLoading?: boolean;
  subCommands?: SlashCommand[];
  /** In the list of its sub-commands the command itself comes first, under this name. */
  ownEntry?: { name: string; description: string };
}

export interface CommandContext {
  invocation?: { raw: string; name: string; args: string };
  services: {
    config: Config | null;
    settings: LoadedSettings;
    git: GitService | undefined;
    logger: Logger;
  };
  ui: CommandUi;
  session: { stats: SessionStatsState; sessionShellAllowlist: Set<string> };
  overwriteConfirmed?: boolean;
  /** Ends when the user cancels; what takes long watches it. */
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
  openAgentConfigDialog(name: string, displayName: string, definition: unknown): void;
  extensionsUpdateState: Map<string, unknown>;
  removeComponent(): void;
  /** Ours: what the seed's list has no word for. */
  app: AppPort;
}

/** What commands may ask of the running app. */
export interface AppPort {
  commands(): readonly SlashCommand[];
  history(): readonly HistoryItem[];
  lastModelText(): string | undefined;
  cwd: string;
  copyToClipboard(text: string): Promise<void>;
  /** False: there is no browser here. */
  openUrl(url: string): Promise<boolean>;
  openEditor(path: string): Promise<void>;
  setInput(text: string): void;
  /** Keys in force and what they do, for /help. Absent: no keys here. */
  keyHelp?(): { keys: string; action: string }[];
  toggleShortcuts(): void;
  toggleTasks(): void;
  /** A new, empty conversation under a new id. */
  newSession(): Promise<void>;
  /** Goes on with a recorded session. */
  resumeSession(identifier: string): Promise<void>;
  changeSetting(scope: 'user' | 'workspace', key: string, value: unknown): Promise<void>;
  setApprovalMode(mode: string): void;
  signOut(): Promise<void>;
  debugRequest(): unknown;
}

/** A call to be proposed again once the history is loaded: `AgentSession.propose`. */
export type ProposedCall = Parameters<AgentSession['propose']>[0];

/** What front ends of any kind can do. */
export type CommandActionReturn<History extends readonly HistoryItemWithoutId[]> =
  | { type: 'message'; messageType: 'info' | 'warning' | 'error'; content: string }
  | { type: 'items'; items: History }
  | {
      type: 'submit_prompt';
      content: PartListUnion;
      display?: string;
      /** The user's own words in it, without files and output of commands; absent: all of its text. */
      typed?: string;
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
}

export interface ConfirmShellCommandsActionReturn {
  type: 'confirm_shell_commands';
  commandsToConfirm: string[];
  originalInvocation: { raw: string };
}

export interface ConfirmActionReturn {
  type: 'confirm_action';
  prompt: ReactNode;
  /** What is run again, with `overwriteConfirmed`, once the user agrees. */
  originalInvocation: { raw: string };
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
