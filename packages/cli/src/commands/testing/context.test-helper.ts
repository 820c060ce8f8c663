/** A command context for tests: it records calls of the app and the screen and does nothing else. */
import { type Config, createLog, emptyMetrics, LoadedSettings, type Settings } from '@gemini-cli/core';
import type { HistoryItemWithoutId, StatsView } from '../../history/item.js';
import type { ExtensionActions } from '../extension-actions.js';
import type { AppPort, CommandContext, CommandUi, SlashCommand } from '../types.js';

export interface TestContext extends CommandContext {
  items: HistoryItemWithoutId[];
  /** Calls as `name(arguments)`. */
  calls: string[];
}

export interface TestContextOptions {
  config?: Partial<Config>;
  settings?: Settings;
  app?: Partial<AppPort>;
  ui?: Partial<CommandUi>;
  extensions?: ExtensionActions;
  stats?: Partial<StatsView>;
  commands?: readonly SlashCommand[];
  cwd?: string;
  overwriteConfirmed?: boolean;
}

export function testContext(options: TestContextOptions = {}): TestContext {
  const items: HistoryItemWithoutId[] = [];
  const calls: string[] = [];
  const note = (name: string, ...args: unknown[]) =>
    void calls.push(`${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`);
  const noted =
    (name: string) =>
    async (...args: unknown[]) =>
      note(name, ...args);
  const app: AppPort = {
    commands: () => options.commands ?? [],
    history: () => [],
    lastModelText: () => undefined,
    cwd: options.cwd ?? '/project',
    copyToClipboard: noted('copyToClipboard'),
    openUrl: async (url) => {
      note('openUrl', url);
      return true;
    },
    openEditor: noted('openEditor'),
    setInput: (text) => note('setInput', text),
    toggleShortcuts: () => note('toggleShortcuts'),
    toggleTasks: () => note('toggleTasks'),
    newSession: noted('newSession'),
    resumeSession: noted('resumeSession'),
    changeSetting: noted('changeSetting'),
    changeModel: noted('changeModel'),
    setApprovalMode: (mode) => note('setApprovalMode', mode),
    chosenExtensions: () => undefined,
    reloadExtensions: noted('reloadExtensions'),
    signOut: noted('signOut'),
    ...options.app,
  };
  const ui: CommandUi = {
    addItem: (item) => void items.push(item),
    clear: () => note('clear'),
    setDebugMessage: () => {},
    pendingItem: null,
    setPendingItem: (item) => note('setPendingItem', item),
    loadHistory: (history) => note('loadHistory', history),
    toggleCorgiMode: () => note('toggleCorgiMode'),
    toggleVimEnabled: async () => {
      note('toggleVimEnabled');
      return true;
    },
    reloadCommands: () => note('reloadCommands'),
    openAgentConfigDialog: (name) => note('openAgentConfigDialog', name),
    extensionsUpdateState: new Map(),
    removeComponent: () => note('removeComponent'),
    app,
    ...options.ui,
  };
  const stats: StatsView = {
    sessionId: 'test-session',
    metrics: emptyMetrics(),
    wallMs: 0,
    ...options.stats,
  };
  return {
    services: {
      // A test gives the few members its command uses.
      config: (options.config as Config | undefined) ?? null,
      settings: settingsOf(options.settings ?? {}),
      git: undefined,
      logger: createLog('commands'),
      ...(options.extensions && { extensions: options.extensions }),
    },
    ui,
    session: { stats, sessionShellAllowlist: new Set() },
    ...(options.overwriteConfirmed && { overwriteConfirmed: true }),
    items,
    calls,
  };
}

/** Settings that come from no file. */
function settingsOf(merged: Settings): LoadedSettings {
  const settings = Object.create(LoadedSettings.prototype) as LoadedSettings;
  Object.defineProperty(settings, 'merged', { value: merged });
  Object.defineProperty(settings, 'layer', { value: () => merged });
  return settings;
}
