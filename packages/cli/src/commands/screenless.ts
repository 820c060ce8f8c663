/** What slash commands work with where there is no screen: headless runs, and editors. */
import { ApprovalMode, type Config, createLog, emptyMetrics, type LoadedSettings } from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../history/item.js';
import type { ExtensionActions } from './extension-actions.js';
import { GitService } from './git-service.js';
import { commandFolders } from './loaders/command-folders.js';
import { FileCommandLoader } from './loaders/file.js';
import type { AppPort, CommandContext, SlashCommand, UserQuestions } from './types.js';

export interface ScreenlessSession {
  config: Config;
  settings: LoadedSettings;
  extensions?: ExtensionActions;
  signal: AbortSignal;
  /** Absent: the user cannot be asked. */
  questions?: UserQuestions;
  /** Extensions have changed. Absent: the run ends with this command. */
  onExtensionsChanged?: () => void;
}

/** @param items what the command says is added here */
export function screenlessContext(
  session: ScreenlessSession,
  commands: readonly SlashCommand[],
  items: Pick<HistoryItemWithoutId[], 'push'>,
): CommandContext {
  const { config, settings, extensions, signal, questions } = session;
  const addItem = (item: HistoryItemWithoutId) => void items.push(item);
  return {
    services: {
      config,
      settings,
      git: new GitService(config.getTargetDir()),
      logger: createLog('commands'),
      ...(extensions && { extensions }),
    },
    ui: {
      addItem,
      clear: () => {},
      setDebugMessage: () => {},
      pendingItem: null,
      setPendingItem: () => {},
      loadHistory: () => {},
      toggleCorgiMode: () => {},
      toggleVimEnabled: () => needsScreen(),
      reloadCommands: () => {},
      openAgentConfigDialog: needsScreen,
      extensionsUpdateState: new Map(),
      removeComponent: () => {},
      ...(questions && { questions }),
      app: appOf(session, commands),
    },
    session: {
      stats: {
        sessionId: config.getSessionId(),
        metrics: emptyMetrics(),
        wallMs: Math.round(performance.now()),
      },
      sessionShellAllowlist: new Set(),
    },
    signal,
  };
}

function appOf(
  { config, settings, onExtensionsChanged }: ScreenlessSession,
  commands: readonly SlashCommand[],
): AppPort {
  return {
    commands: () => commands,
    history: () => [],
    lastModelText: () => undefined,
    cwd: config.getTargetDir(),
    copyToClipboard: async () => needsScreen(),
    openUrl: async () => false,
    openEditor: async () => needsScreen(),
    setInput: () => {},
    toggleShortcuts: needsScreen,
    toggleTasks: needsScreen,
    newSession: async () => {},
    resumeSession: async () => needsScreen(),
    changeSetting: (scope, key, value) => settings.setValue(scope, key, value),
    changeModel: (model) => config.setModel(model),
    setApprovalMode: (mode) => config.setApprovalMode(approvalModeOf(mode)),
    chosenExtensions: () => undefined,
    reloadExtensions: async () => onExtensionsChanged?.(),
    signOut: async () => needsScreen(),
  };
}

function approvalModeOf(name: string): ApprovalMode {
  return Object.values(ApprovalMode).find((mode) => mode === name) ?? ApprovalMode.DEFAULT;
}

function needsScreen(): never {
  throw new Error('this needs the interactive program: start gemini without -p.');
}

export function fileCommands(config: Config, warn: (message: string) => void): FileCommandLoader {
  const folders = () =>
    commandFolders({
      projectRoot: config.getTargetDir(),
      env: config.getEnvironment().variables,
      isTrusted: config.isTrustedFolder(),
      extensions: config.getExtensions().filter(({ isActive }) => isActive),
    });
  return new FileCommandLoader(folders, warn);
}
