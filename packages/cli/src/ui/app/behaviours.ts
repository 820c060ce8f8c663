/** What goes on around the conversation by itself: notifications, tips, phrases, folding, the search for updates. */
import { release } from 'node:os';
import type { ShellExecutionService } from '@gemini-cli/core';
import type { ColorDepth } from '../../terminal/color-depth.js';
import { writeToTerminal } from '../../terminal/first-paint.js';
import type { Look } from '../look.js';
import { Notifier } from '../notify/notifier.js';
import type { App } from './app.js';
import { readSavedState, saveState } from './context/saved-state.js';
import { minimalSwitch } from './keys/minimal.js';
import { loadUserKeys } from './keys/user-keys.js';
import { LastResponse } from './screen/last-response.js';
import { type Phrases, phrasesAt } from './screen/phrases.js';
import { queryNote, startNotices, tipsFor } from './start/start-notices.js';
import { watchTerminal } from './terminal/exit-guard.js';

export interface BehaviourPorts {
  depth: ColorDepth;
  look: () => Look;
  /** Absent: the screen is ours, and is drawn anew. */
  print: ((lines: readonly string[]) => void) | undefined;
  /** Where the mouse belongs to us, it is lent to the terminal for copying. */
  lendMouse: (isLent: boolean) => void;
  onLost: () => void;
}

export class Behaviours {
  readonly lastResponse: LastResponse;
  private readonly notifier: Notifier;
  private readonly remembered = readSavedState();
  private readonly firstPhrase: number;
  private tips: readonly string[] | undefined;
  private isCopying = false;
  private atEnd: () => void = () => undefined;
  /** Of the engine that runs now. */
  private shells: ShellExecutionService | undefined;
  private stopWatching: () => void = () => undefined;

  constructor(
    private readonly app: App,
    private readonly ports: BehaviourPorts,
  ) {
    const { store, toasts, options } = app;
    loadUserKeys(app.env, app.notice);
    this.firstPhrase = Math.floor(options.now() / 1000) % 1000;
    this.notifier = new Notifier({
      settings: () => app.settings,
      write: writeToTerminal,
      env: app.env,
      now: options.now,
    });
    this.lastResponse = new LastResponse({ store, toasts, look: ports.look, print: ports.print });
    store.dispatch({ type: 'switched', what: 'isMinimal', to: this.remembered.isMinimal });
  }

  /** Before anybody else listens: keys come here when nobody wanted them. */
  listen(): void {
    const { store, router, options } = this.app;
    router.add(minimalSwitch(store, options.now));
    router.add(this.notifier.watch);
    store.subscribe(() => this.update());
    this.stopWatching = watchTerminal(this.ports.onLost);
  }

  stop(): void {
    this.stopWatching();
    this.atEnd();
  }

  /** Of the header; the same for the whole session. */
  startTips(): readonly string[] {
    const { app } = this;
    this.tips ??= tipsFor(app.settings, app.engine.folder.cwd, this.remembered.tipsShown);
    return this.tips;
  }

  showStartNotices(): void {
    const { app, ports } = this;
    const { cwd } = app.engine.folder;
    const { query, flags } = app.options.line;
    const { ui } = app.settings;
    const { env } = app;
    const { platform } = process;
    const { home } = app.engine.folder.environment;
    for (const text of startNotices({ cwd, home, ui, env, depth: ports.depth, platform, release: release() }))
      app.notice(text);
    const note = flags['prompt-interactive'] === undefined ? queryNote(query) : undefined;
    if (note) app.add({ type: 'info', text: note });
  }

  /** When nobody waits any more. */
  afterStart(): void {
    const { app } = this;
    if (this.startTips().length > 0) saveState({ tipsShown: this.remembered.tipsShown + 1 });
    void this.lookForUpdate().catch(app.noteProblem);
  }

  phrases(): Phrases {
    const { app, ports } = this;
    const { startedAt, streaming } = app.store.getState();
    if (streaming === 'idle' || ports.look().screenReader) return {};
    return phrasesAt(app.settings.ui, app.options.now() - startedAt, this.firstPhrase);
  }

  private update(): void {
    const state = this.app.store.getState();
    this.notifier.update(state);
    this.lastResponse.update();
    if (state.isCopyMode !== this.isCopying) {
      this.isCopying = state.isCopyMode;
      this.ports.lendMouse(state.isCopyMode);
    }
    this.countTasks();
  }

  /** For the summary line. */
  private countTasks(): void {
    const { store, engine } = this.app;
    const service = engine.config?.getShellExecutionService();
    if (service && service !== this.shells) {
      this.shells = service;
      service.onBackgroundExit(() => this.countTasks());
    }
    const tasks = service?.listBackground() ?? [];
    const backgroundTasks = tasks.filter(({ status }) => status === 'running').length;
    if (backgroundTasks !== store.getState().facts.backgroundTasks)
      store.dispatch({ type: 'facts_changed', facts: { backgroundTasks } });
  }

  private async lookForUpdate(): Promise<void> {
    const { app } = this;
    const { checkForUpdate } = await import('../../update/update.js');
    await checkForUpdate({
      settings: app.settings,
      env: app.env,
      version: __VERSION__,
      script: process.argv[1],
      signal: app.leaving.signal,
      tell: app.notice,
      tried: this.remembered.updateTried,
      whenLeaving: (updateTried, install) => {
        this.atEnd = () => {
          saveState({ updateTried });
          install();
        };
      },
    });
  }
}
