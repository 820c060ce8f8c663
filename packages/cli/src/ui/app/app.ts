/** The interactive program: wires screen, keyboard, engine and commands together. Each of them knows only its ports. */
import {
  type AgentEvent,
  ApprovalMode,
  type Config,
  emptyMetrics,
  isMainAgent,
  loadSessions,
  loadWorktrees,
  messageOf,
  type PartListUnion,
  recordMetrics,
  type Settings,
  type Variables,
} from '@gemini-cli/core';
import type { CommandLine } from '../../command-line/parse.js';
import type { DialogName } from '../../commands/dialog-name.js';
import type { RunFolder } from '../../engine/run-folder.js';
import type { HistoryItemWithoutId, StatsView } from '../../history/item.js';
import { expandAtReferences } from '../../input/at-references.js';
import { type FirstPaint, terminalSize, writeToTerminal } from '../../terminal/first-paint.js';
import { createTerminalModes, NO_MODES, type TerminalModes } from '../../terminal/modes.js';
import { isDumbTerminal } from '../../terminal/plain-paint.js';
import { InputRouter } from '../keys/router.js';
import { RESTORE_TITLE, SAVE_TITLE, titleSequence, windowTitle } from '../layout/title.js';
import { initialState } from '../store/state.js';
import { Store } from '../store/store.js';
import { ChatExtras } from './chat-extras.js';
import { Conversation } from './conversation.js';
import { listenToEngine } from './engine-events.js';
import { EngineHost } from './engine-host.js';
import { gatherFacts } from './facts.js';
import { watchMode } from './mode-switch.js';
import { runShellCommand } from './shell-mode.js';
import { ShellWatch } from './shell-watch.js';
import { Toasts } from './toasts.js';

export interface AppOptions {
  line: CommandLine;
  firstPaint: FirstPaint;
  folder: RunFolder;
  now: () => number;
}

/** The state that all parts of the program share, and what they may do to it. */
export class App {
  readonly store: Store;
  readonly router = new InputRouter();
  readonly toasts: Toasts;
  readonly engine: EngineHost;
  readonly conversation: Conversation;
  readonly modes: TerminalModes;
  readonly startedAt: number;
  /** Work in the background ends with the program. */
  readonly leaving = new AbortController();
  metrics = emptyMetrics();
  private stopWatching: () => void = () => undefined;
  private title = '';
  private readonly shellWatch: ShellWatch;
  private readonly waiting: (() => void)[] = [];
  private readonly problems: string[] = [];
  private readonly extras = new ChatExtras(
    () => this.settings.ui,
    (item) => this.add(item),
  );
  private shellPid: number | undefined;

  constructor(readonly options: AppOptions) {
    const { line, folder, now } = options;
    this.startedAt = now();
    this.store = new Store(initialState(firstFacts(line, folder), ApprovalMode.DEFAULT), now);
    this.store.dispatch({ type: 'resized', ...terminalSize() });
    this.toasts = new Toasts(this.store, now);
    this.shellWatch = new ShellWatch(this.store);
    this.modes = isDumbTerminal(process.env) ? NO_MODES : createTerminalModes(writeToTerminal, process.stdin);
    this.engine = new EngineHost(
      {
        line,
        listen: (events) => listenToEngine(events, this.enginePorts()),
        warn: this.notice,
        onStarted: (config) => this.onEngine(config),
      },
      folder,
    );
    this.conversation = new Conversation({
      store: this.store,
      config: () => this.engine.config,
      expand: (text, signal) => this.expand(text, signal),
      isShown: (event) => this.extras.pass(event),
      onSteering: () => this.toasts.show('The agent gets this after its current step.', 'info'),
      giveBack: (text) => this.giveBack(text),
      onIdle: () => undefined,
    });
  }

  /** With the variables of the folder's `.env` file. */
  get env(): Variables {
    return this.engine.folder.environment.variables;
  }

  get settings(): Settings {
    return this.engine.folder.settings.merged;
  }

  add(item: HistoryItemWithoutId): void {
    this.store.dispatch({ type: 'item_added', item });
  }

  readonly notice = (text: string): void => {
    this.store.dispatch({ type: 'notice', message: text });
  };

  openDialog(
    name: DialogName,
    props: Record<string, unknown> = {},
    onClose?: (result: unknown) => void,
    { isUnbidden = false } = {},
  ): void {
    const dialog = { name, props, isUnbidden, ...(onClose && { onClose }) };
    this.store.dispatch({ type: 'dialog_opened', dialog });
  }

  /** Into the input, before what was typed since; set by the input. */
  giveBack: (text: string) => void = () => undefined;

  /** Once the engine is up the next time. */
  whenReady(work: () => void): void {
    this.waiting.push(work);
  }

  closeDialog(result: unknown): void {
    const { dialog } = this.store.getState();
    if (!dialog) return;
    this.store.dispatch({ type: 'dialog_closed' });
    dialog.onClose?.(result);
    this.onDialogResult(dialog.name, result);
  }

  /** What a dialog has done to the conversation or to files is shown by whoever draws them. */
  onDialogResult: (name: DialogName, result: unknown) => void = () => undefined;

  /** A question of the program itself. @returns what the dialog was closed with */
  ask(name: DialogName, props: Record<string, unknown> = {}): Promise<unknown> {
    return new Promise((resolve) => this.openDialog(name, props, resolve, { isUnbidden: true }));
  }

  /** `!command`. Esc cancels it like a request. */
  async runShell(command: string): Promise<void> {
    const { config } = this.engine;
    if (!config) return;
    await this.conversation.during((signal) =>
      runShellCommand(command, {
        store: this.store,
        config,
        signal,
        now: this.options.now,
        onPid: (pid) => {
          this.shellPid = pid;
        },
      }),
    );
  }

  writeToShell(bytes: string): void {
    const service = this.engine.config?.getShellExecutionService();
    const pid = this.shellPid ?? service?.foregroundPids().at(-1);
    if (pid !== undefined) service?.write(pid, bytes);
  }

  private async askAboutLoop(): Promise<void> {
    const answer = await this.ask('loop', { situation: { kind: 'loop' } });
    if (answer !== 'disable_loop_detection') return;
    this.engine.config?.getGeminiClient().disableLoopDetection();
    this.add({ type: 'info', text: 'Loop detection is off for this session.' });
  }

  /** @returns false: nothing runs that could be moved */
  async moveShellToBackground(): Promise<boolean> {
    const service = this.engine.config?.getShellExecutionService();
    const pid = this.shellPid ?? service?.foregroundPids().at(-1);
    return service !== undefined && pid !== undefined && service.moveToBackground(pid);
  }

  stats(): StatsView {
    const { config } = this.engine;
    return {
      sessionId: this.engine.sessionId,
      metrics: this.metrics,
      wallMs: this.options.now() - this.startedAt,
      ...(config?.getAuthType() && { auth: config.getAuthType() }),
      ...(config?.getLedger().totalCost !== undefined && { cost: config.getLedger().totalCost }),
    };
  }

  /** Another conversation: what was counted belongs to the one before. */
  resetCounts(): void {
    this.metrics = emptyMetrics();
  }

  /** The box at the end; without a conversation only a word. */
  async goodbye({ isDeleted }: { isDeleted: boolean }): Promise<HistoryItemWithoutId> {
    const wasUsed = Object.keys(this.metrics.models).length > 0;
    const sessionId = wasUsed && !isDeleted ? this.engine.sessionId : undefined;
    const { worktree } = this.engine.folder;
    const notes = worktree ? (await loadWorktrees()).worktreeFarewell(worktree, sessionId) : [];
    return {
      type: 'quit',
      ...(wasUsed && { stats: this.stats() }),
      ...(sessionId && { resume: sessionId }),
      ...(notes.length > 0 && { notes }),
    };
  }

  /** Ends the engine; what the user wants forgotten is removed. */
  async leaveSession({ isDeleted }: { isDeleted: boolean }): Promise<void> {
    const { config, folder } = this.engine;
    const storage = config?.storage;
    const { sessionId } = this.engine;
    this.leaving.abort();
    await this.engine.stop();
    if (!isDeleted || !storage) return;
    const { SessionSelector, sessionPlaces, deleteSession } = await loadSessions();
    const { settings, environment } = folder;
    const places = sessionPlaces(storage, settings.merged.general?.sessionStorageDir, environment.home);
    try {
      const found = await new SessionSelector({ places, now: this.options.now }).findSession(sessionId);
      deleteSession(found, places);
    } catch (error) {
      this.add({ type: 'warning', text: `The session was not deleted: ${messageOf(error)}` });
    }
  }

  /** F12: what went wrong inside, newest last. */
  showErrors(): void {
    const rows = this.problems.map((text) => ({ name: text, status: 'error' as const }));
    this.add({ type: 'list', title: 'Errors of this session', rows, empty: 'Nothing went wrong so far.' });
  }

  /** A bug of ours: told, counted, and the session goes on. */
  readonly noteProblem = (error: unknown): void => {
    this.problems.push(messageOf(error));
    this.store.dispatch({ type: 'error_counted' });
    this.add({ type: 'error', text: `Something went wrong in the program itself: ${messageOf(error)}` });
  };

  /** The title follows the state; written only when it is another one. */
  updateTitle(): void {
    const title = windowTitle(this.store.getState(), this.settings.ui, this.env) ?? '';
    if (title === this.title) return;
    if (this.title === '') writeToTerminal(SAVE_TITLE);
    this.title = title;
    if (title !== '') writeToTerminal(titleSequence(title));
  }

  restoreTitle(): void {
    if (this.title !== '') writeToTerminal(RESTORE_TITLE);
    this.title = '';
  }

  private onEngine(config: Config): void {
    this.stopWatching();
    this.stopWatching = watchMode(config, this.store);
    this.store.dispatch({
      type: 'surroundings',
      facts: {
        model: config.getModel(),
        sessionId: config.getSessionId(),
        trusted: config.isTrustedFolder(),
      },
    });
    this.store.dispatch({ type: 'ready' });
    for (const work of this.waiting.splice(0)) work();
    void gatherFacts(config, this.engine.folder.cwd).then((facts) =>
      this.store.dispatch({ type: 'surroundings', facts }),
    );
  }

  private enginePorts() {
    return {
      store: this.store,
      add: (item: HistoryItemWithoutId) => this.add(item),
      submit: (text: string) => void this.conversation.submit(text),
      ask: (name: DialogName, props: Record<string, unknown>) => this.ask(name, props),
      withdraw: (name: DialogName) => {
        if (this.store.getState().dialog?.name === name) this.closeDialog(undefined);
      },
      observe: (event: AgentEvent) => this.observe(event),
    };
  }

  private observe(event: AgentEvent): void {
    recordMetrics(this.metrics, event);
    if (!isMainAgent(event.agent)) return;
    this.shellWatch.observe(event);
    if (event.type === 'warning' && event.code === 'loop_detected') void this.askAboutLoop();
  }

  private async expand(text: string, signal: AbortSignal): Promise<PartListUnion> {
    const { config } = this.engine;
    if (!config || !text.includes('@')) return text;
    try {
      const { parts, notices } = await expandAtReferences({ piped: '', typed: text }, config, {
        signal,
        mask: (content) => config.maskForModel(content),
      });
      for (const notice of notices) this.add({ type: 'info', text: notice });
      return parts;
    } catch (error) {
      throw new Error(`${messageOf(error)} Nothing was sent.`, { cause: error });
    }
  }
}

function firstFacts(line: CommandLine, { cwd, settings, trust }: RunFolder) {
  return {
    cwd,
    sandbox: 'no sandbox',
    model: line.flags.model ?? settings.merged.model?.name ?? 'auto',
    sessionId: '',
    contextFiles: 0,
    contextFileName: 'GEMINI.md',
    skills: 0,
    mcpServers: 0,
    backgroundTasks: 0,
    trusted: trust.trusted,
  };
}
