/** The running interface: wires keyboard, composer, screen, commands and dialogs to the app. */
import {
  loadFrontEnd,
  messageOf,
  summariseEarlierSession,
  ToolConfirmationOutcome,
  type ToolConfirmationPayload,
} from '@gemini-cli/core';
import { type Completer, createCompleter } from '../../completion/completer.js';
import { type SessionSources, sessionSources } from '../../completion/sources.js';
import type { HistoryItemWithoutId } from '../../history/item.js';
import { type FirstPaint, terminalSize } from '../../terminal/first-paint.js';
import type { ComposerStore } from '../composer/composer-store.js';
import { headerLines } from '../history/header.js';
import type { InputEvent } from '../keys/key.js';
import { warmUpLexer } from '../markdown/lexer.js';
import { ansiWidth } from '../text/width.js';
import type { App } from './app.js';
import { type AppActions, appKeys, urgentKeys } from './app-keys.js';
import { appPort } from './app-port.js';
import { type Appearance, makeAppearance } from './appearance.js';
import { Behaviours } from './behaviours.js';
import type { CommandRunner } from './command-runner.js';
import { answerConfirmation } from './confirmations.js';
import { dialogResults } from './dialog-results.js';
import { dialogServices, type ServicePorts } from './dialog-services.js';
import { IdleWork } from './idle-work.js';
import { InputGate } from './input-gate.js';
import { TerminalLease } from './lease.js';
import { Leaving } from './leaving.js';
import { keysOfLine, LineInput } from './line-input.js';
import { LiveSurface } from './live-surface.js';
import { makeActions } from './make-actions.js';
import { makeCommands } from './make-commands.js';
import { giveBack, makeComposer, setVim, toggleVim } from './make-composer.js';
import { Outside } from './outside.js';
import { proposalEditorOf } from './proposal-editor.js';
import { Screen } from './screen.js';
import { inputArea, shortcutLines } from './screen-parts.js';
import { openSession, startNewSession } from './sessions.js';
import { Submitter } from './submit.js';
import { TasksPane } from './tasks-pane.js';
import { TerminalInput } from './terminal-input.js';
import { TypedHistory } from './typed-history.js';

const AFTER_REQUEST_MS = 20;

export class Interactive {
  readonly composer: ComposerStore;
  readonly commands: CommandRunner;
  readonly submitter: Submitter;
  private readonly completer: Completer;
  private readonly files: SessionSources;
  private readonly screen: Screen;
  private readonly live: LiveSurface;
  private readonly lease: TerminalLease;
  private readonly outside: Outside;
  private readonly tasks: TasksPane;
  private readonly appearance: Appearance;
  private readonly behaviours: Behaviours;
  readonly leaving: Leaving;
  private readonly typed: TypedHistory;
  private readonly gate: InputGate;
  readonly idle: IdleWork;
  /** What is written to the scrollback before has the wrong colours for ever. */
  themeLoaded: Promise<void> = Promise.resolve();
  private isSuggestionExpanded = false;
  private hasMouse = false;
  private leave: (exitCode: number) => void = () => undefined;
  /** The exit code, once the user has left. */
  readonly left = new Promise<number>((resolve) => {
    this.leave = resolve;
  });

  constructor(
    readonly app: App,
    private readonly firstPaint: FirstPaint,
  ) {
    const { store } = app;
    this.idle = new IdleWork({
      isBusy: () => app.conversation.isBusy,
      now: app.options.now,
      onFailure: app.noteProblem,
    });
    this.appearance = makeAppearance(app, () => this.screen.schedule());
    const { look, fullScreen, isPlain, depth, box } = this.appearance;
    firstPaint.writer.measureWith(ansiWidth);
    this.behaviours = new Behaviours(app, {
      depth,
      look,
      print: fullScreen ? undefined : (lines) => firstPaint.writer.settle(lines),
      lendMouse: (isLent) => app.modes.setMouse(this.hasMouse && !isLent),
      onLost: () => void this.leaving.leaveBy(129),
    });

    this.leaving = new Leaving(app, (exitCode) => this.end(exitCode));
    this.lease = new TerminalLease(app, firstPaint, {
      draw: () => this.screen.draw(),
      reprint: () => this.screen.reprint(),
      onResize: () => this.live.resized(),
    });
    this.typed = new TypedHistory(() => app.engine.config, app.options.now);
    this.outside = new Outside(app, this.lease, () => this.composer);
    this.files = sessionSources({
      config: () => app.engine.config,
      settings: () => app.engine.folder.settings,
      commands: () => this.commands.getCommands(),
      commandContext: () => this.commands.context(),
      isShellMode: () => store.getState().isShellMode,
      cwd: app.engine.folder.cwd,
      env: app.env,
    });
    this.completer = createCompleter(this.files.sources);
    this.composer = makeComposer({
      app,
      box,
      completer: this.completer,
      submitter: () => this.submitter,
      typed: this.typed,
      outside: this.outside,
      onExpandSuggestion: (isExpanded) => {
        this.isSuggestionExpanded = isExpanded;
      },
    });
    app.giveBack = (text) => giveBack(this.composer, text);
    this.gate = new InputGate({
      store,
      router: app.router,
      now: app.options.now,
      composer: this.composer,
      onFailure: app.noteProblem,
      flush: () => this.live.current()?.flush(),
    });
    this.tasks = new TasksPane(
      () => app.engine.config?.getShellExecutionService(),
      () => store.dispatch({ type: 'switched', what: 'showTasks', to: false }),
    );
    this.live = new LiveSurface({
      store,
      size: terminalSize,
      onFrame: () => {
        this.screen.schedule();
        if (this.live.current()?.lines().length) this.gate.shown();
      },
      onFailure: (error) => this.dropDialog(error),
      props: {
        store,
        router: app.router,
        look,
        services: (height) => dialogServices(app, this.servicePorts(), height),
        onAnswer: (outcome, payload) => void this.answer(outcome, payload),
        onClose: (result) => app.closeDialog(result),
        onReady: () => this.gate.dialogReady(),
        onBusy: (work) => this.gate.dialogBusy(work),
      },
    });
    this.screen = new Screen({
      store,
      writer: firstPaint.writer,
      look,
      settings: () => app.settings,
      now: app.options.now,
      input: (current, maxRows) => inputArea(this.inputParts(), current, maxRows),
      shortcuts: shortcutLines,
      tasks: (current, height) => this.tasks.lines(current, height),
      phrases: () => this.behaviours.phrases(),
      surface: () => this.live.current(),
      fullScreen,
      isPlain,
    });
    this.commands = makeCommands(app, appPort(app, this, this.servicePorts()), {
      clear: () => this.clear(),
      loadHistory: (items, input) => this.loadHistory(items, input),
      toggleVim: () => toggleVim(app, this.composer),
      quit: (items, options) => void this.leaving.quit(items, options),
    });
    this.submitter = new Submitter({
      app,
      commands: this.commands,
      typed: this.typed,
      giveBack: (text) => giveBack(this.composer, text),
      onCommand: (running) => this.gate.commandStarted(running),
    });
    this.listen();
  }

  /** Takes the terminal over from the first paint. */
  begin(): void {
    this.lease.begin();
    if (this.appearance.fullScreen) {
      this.firstPaint.writer.enterFullScreen();
      this.setMouse(true);
    }
    const input = this.appearance.isPlain
      ? new LineInput((line) => this.receiveLine(line))
      : new TerminalInput((events) => this.receive(events));
    this.firstPaint.takeOver((chunk) => input.feed(chunk));
    this.screen.draw();
    this.app.updateTitle();
    this.themeLoaded = this.appearance.themes.load();
    this.appearance.themes.watchBackground();
  }

  showHeader(): void {
    const { ui, security } = this.app.settings;
    const identity = ui?.showUserIdentity === false ? undefined : security?.auth?.selectedType;
    const header = {
      version: __VERSION__,
      isHidden: ui?.hideBanner ?? false,
      tips: this.behaviours.startTips(),
      ...(identity && { identity }),
    };
    this.behaviours.showStartNotices();
    this.screen.setHead((look) => [...headerLines(header, look), '']);
  }

  showHistory(items: readonly HistoryItemWithoutId[]): void {
    this.app.store.dispatch({ type: 'history_loaded', items });
  }

  /** What can wait until the interface works. */
  async afterStart(): Promise<void> {
    const { config } = this.app.engine;
    // A prompt that was typed early is on its way first.
    await new Promise((resolve) => setTimeout(resolve, AFTER_REQUEST_MS));
    await this.commands.reload();
    if (!config) return this.app.whenReady(() => void this.afterStart());
    await this.typed.load();
    this.idle.add(
      () => warmUpLexer(),
      () => this.files.warmUp(),
      () => this.live.preload(),
      () => this.behaviours.afterStart(),
      () => void summariseEarlierSession(config, this.app.leaving.signal),
    );
  }

  clear(): void {
    this.app.store.dispatch({ type: 'cleared' });
    this.behaviours.lastResponse.forget();
    this.screen.forgetSettled();
    this.firstPaint.writer.clear();
    this.screen.draw();
  }

  async newSession(): Promise<void> {
    await startNewSession(this.app);
    this.clear();
  }

  async resumeSession(identifier: string): Promise<void> {
    this.loadHistory(await openSession(this.app, identifier));
  }

  async signOut(): Promise<void> {
    const { signOut } = await loadFrontEnd();
    await signOut({ env: this.app.env });
    await this.app.engine.stop();
    this.app.add({ type: 'info', text: 'Signed out: saved credentials are removed from this machine.' });
    this.submitter.askForSignIn('');
  }

  /** Whatever happened: a terminal one can go on with. Safe to call twice, and while the process ends. */
  restore(): void {
    const { writer } = this.firstPaint;
    writer.leaveFullScreen();
    writer.suspend();
    this.app.restoreTitle();
    this.app.modes.leave();
  }

  /** Gives the terminal back: what is settled stays, the frame goes. */
  end(exitCode: number): void {
    this.idle.stop();
    this.live.close();
    this.behaviours.stop();
    this.appearance.themes.stop();
    if (this.appearance.fullScreen) this.firstPaint.writer.leaveFullScreen();
    this.screen.finish();
    this.app.restoreTitle();
    this.lease.end();
    this.leave(exitCode);
  }

  /** Everything typed so far is in place; then one frame shows all of it. */
  private receive(events: readonly InputEvent[]): void {
    this.idle.keyPressed();
    this.gate.receive(events);
    if (events.length > 0) this.screen.draw();
  }

  /** A line of a terminal that edits lines itself. */
  private receiveLine(line: string): void {
    const { dialog, confirmation } = this.app.store.getState();
    const isShellMode = line.startsWith('!');
    const text = isShellMode ? line.slice(1) : line;
    if (dialog || confirmation) this.receive(keysOfLine(line));
    else if (text.trim() !== '') this.submitter.submit(text, { isShellMode });
    this.screen.draw();
  }

  /** Ctrl+C where it is a signal: a running request ends first. */
  interrupt(): boolean {
    return this.appearance.isPlain && this.app.conversation.cancel();
  }

  /** The youngest is asked first: dialogs come after all of these. */
  private listen(): void {
    const { store, router, toasts } = this.app;
    const actions = this.actions();
    const isAtInput = () => !store.getState().dialog && !store.getState().confirmation;
    this.behaviours.listen();
    router.add(appKeys(store, toasts, actions));
    router.add((event) => isAtInput() && this.composer.handle(event));
    router.add(
      (event) =>
        isAtInput() && store.getState().showTasks && event.kind === 'key' && this.tasks.handle(event),
    );
    router.add(urgentKeys(store, actions));
    router.add((event) => event.kind === 'answer' && this.handleAnswer(event.sequence));
    this.composer.subscribe(() => this.screen.schedule());
    this.completer.subscribe(() => this.screen.schedule());
    store.subscribe(() => this.app.updateTitle());
    this.app.onDialogResult = dialogResults(this.app, (items) => this.loadHistory(items));
  }

  private handleAnswer(sequence: string): true {
    if (!this.appearance.themes.handleAnswer(sequence)) this.outside.handleAnswer(sequence);
    return true;
  }

  private inputParts() {
    return {
      state: this.app.store.getState(),
      composer: this.composer,
      completer: this.completer,
      isSuggestionExpanded: this.isSuggestionExpanded,
      suggestionsAbove: this.appearance.fullScreen,
    };
  }

  private actions(): AppActions {
    return makeActions(this.app, {
      takeQueue: () => this.submitter.takeQueue(),
      giveBack: (text) => giveBack(this.composer, text),
      showMore: () => this.behaviours.lastResponse.toggle(),
      reprint: () => this.screen.reprint(),
      suspend: () => this.lease.suspend(),
      quit: () => void this.leaving.quit(),
      scrollOffset: () => this.screen.scrollOffset,
      maxScroll: () => this.screen.maxScroll,
      toggleMouse: () => {
        this.setMouse(!this.hasMouse);
        return this.hasMouse;
      },
    });
  }

  private setMouse(on: boolean): void {
    this.hasMouse = on;
    this.app.modes.setMouse(on);
  }

  private async answer(outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload): Promise<void> {
    const { config } = this.app.engine;
    if (!config) return;
    const edit = proposalEditorOf(this.app, this.lease);
    await answerConfirmation(config.getEvents(), this.app.store, outcome, payload, edit);
    // A plain no ends the request; a no with words is an answer to the model.
    if (outcome === ToolConfirmationOutcome.Cancel && !payload?.feedback) this.app.conversation.cancel();
  }

  private dropDialog(error: unknown): void {
    this.app.add({ type: 'error', text: `This cannot be shown: ${messageOf(error)}` });
    void this.answer(ToolConfirmationOutcome.Cancel);
    this.app.closeDialog(undefined);
  }

  private servicePorts(): ServicePorts {
    return {
      setInput: (text) => this.composer.setText(text),
      previewTheme: (name) => this.appearance.themes.preview(name),
      onSettingChanged: () => this.applySettings(),
      copyToClipboard: (text) => this.outside.copy(text),
      openEditor: (path) => this.outside.openFile(path),
      resumeSession: (identifier) => this.resumeSession(identifier),
      quit: () => void this.leaving.quit(),
    };
  }

  private loadHistory(items: readonly HistoryItemWithoutId[], input?: string): void {
    this.clear();
    this.app.store.dispatch({ type: 'history_loaded', items });
    if (input !== undefined) this.composer.setText(input);
  }

  /** What a changed setting means for things that keep a copy of it. */
  private applySettings(): void {
    void this.appearance.themes.load();
    setVim(this.app, this.composer, this.app.settings.general?.vimMode ?? false);
  }
}
