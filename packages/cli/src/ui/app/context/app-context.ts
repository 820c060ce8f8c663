/** What all parts of the interactive app share: the store, the folder with its settings, and ways to tell the user something. */
import { ApprovalMode, messageOf, type Settings, type Variables } from '@gemini-cli/core';
import type { CommandLine } from '../../../command-line/parse.js';
import type { RunFolder } from '../../../engine/run-folder.js';
import type { HistoryItemWithoutId } from '../../../history/item.js';
import { terminalSize } from '../../../terminal/first-paint.js';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { Toasts } from './toasts.js';

export class AppContext {
  readonly store: Store;
  readonly toasts: Toasts;
  private readonly problems: string[] = [];

  constructor(
    readonly line: CommandLine,
    /** Read again once the user has decided about trust. */
    public folder: RunFolder,
    readonly now: () => number,
  ) {
    this.store = new Store(initialState(firstFacts(line, folder), ApprovalMode.DEFAULT), now);
    this.store.dispatch({ type: 'resized', ...terminalSize() });
    this.toasts = new Toasts(this.store, now);
  }

  /** Including the folder's `.env` file. */
  get env(): Variables {
    return this.folder.environment.variables;
  }

  get settings(): Settings {
    return this.folder.settings.merged;
  }

  add(item: HistoryItemWithoutId): void {
    this.store.dispatch({ type: 'item_added', item });
  }

  /** Another conversation: what was shown before moves into the scrollback. */
  replaceHistory(items: readonly HistoryItemWithoutId[]): void {
    this.store.dispatch({ type: 'history_replaced', items });
  }

  readonly notice = (text: string): void => {
    this.store.dispatch({ type: 'notice', message: text });
  };

  /** A bug of ours: shown and counted, and the session continues. */
  readonly noteProblem = (error: unknown): void => {
    this.noteDetails(messageOf(error));
    this.add({ type: 'error', text: `Something went wrong in the program itself: ${messageOf(error)}` });
  };

  /** For F12, in full: the status line has no room for it. The footer counts it. */
  readonly noteDetails = (text: string): void => {
    this.problems.push(text);
    this.store.dispatch({ type: 'error_counted' });
  };

  /** F12: the problems of this session, newest last. */
  showProblems(): void {
    const rows = this.problems.map((text) => ({ name: text, status: 'error' as const }));
    this.add({ type: 'list', title: 'Errors of this session', rows, empty: 'Nothing went wrong so far.' });
  }
}

/** Known before the engine is up. */
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
    ...(line.flags.debug && { isDebug: true }),
  };
}
