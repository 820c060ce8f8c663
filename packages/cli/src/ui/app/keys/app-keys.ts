/** Keys of the app itself. Dialogs and the composer are offered each key first. */
import { ApprovalMode } from '@gemini-cli/core';
import { isCommand } from '../../keys/bindings.js';
import type { InputEvent, Key } from '../../keys/key.js';
import { terminalBytes } from '../../keys/terminal-bytes.js';
import type { Switch } from '../../store/reduce.js';
import type { Store } from '../../store/store.js';
import type { Toasts } from '../context/toasts.js';

export interface AppActions {
  cancel(): boolean;
  /** Moves queued messages back into the input. */
  takeQueueBack(): boolean;
  setApprovalMode(mode: ApprovalMode): void;
  /** False: the cycle of modes skips it. */
  isPlanEnabled(): boolean;
  /** The last response in full, or folded again. */
  showMore(): void;
  /** @param sinceLastPrompt all of the last response has changed its form */
  redraw(options?: { sinceLastPrompt: boolean }): void;
  suspend(): void;
  quit(): void;
  scroll(lines: number): void;
  toggleMouse(): void;
  isInputEmpty(): boolean;
  /** Gives the keyboard to the running command. */
  focusShell(): void;
  sendToShell(bytes: string): void;
  moveToBackground(): void;
  showErrors(): void;
}

/** Before the composer: keys for a focused shell command, and those that leave copy mode. */
export function urgentKeys(store: Store, actions: AppActions): (event: InputEvent) => boolean {
  return (event) => {
    const state = store.getState();
    if (event.kind === 'paste' && state.isShellFocused) {
      actions.sendToShell(event.text);
      return true;
    }
    if (event.kind !== 'key' || state.dialog || state.confirmation) return false;
    if (state.isCopyMode) return leaveCopyMode(event, store, actions);
    if (state.isShellFocused) return toShell(event, store, actions);
    return false;
  };
}

function leaveCopyMode(key: Key, store: Store, actions: AppActions): boolean {
  if (isCommand(key, 'scroll.pageUp')) actions.scroll(10);
  else if (isCommand(key, 'scroll.pageDown')) actions.scroll(-10);
  else store.dispatch({ type: 'switched', what: 'isCopyMode', to: false });
  return true;
}

function toShell(key: Key, store: Store, actions: AppActions): boolean {
  if (isCommand(key, 'app.unfocusShellInput'))
    store.dispatch({ type: 'switched', what: 'isShellFocused', to: false });
  else actions.sendToShell(terminalBytes(key));
  return true;
}

/** After the composer, and after a dialog that did not take the key. */
export function appKeys(store: Store, toasts: Toasts, actions: AppActions): (event: InputEvent) => boolean {
  const toggle = (what: Switch) => done(store.dispatch({ type: 'toggled', what }));
  return (event) => {
    if (event.kind === 'mouse') return scrollByWheel(event.action, actions);
    if (event.kind !== 'key') return false;
    const state = store.getState();
    if (isCommand(event, 'basic.quit')) return quitKey(store, toasts, actions);
    if (isCommand(event, 'basic.exit')) {
      if (toasts.isSecond('exit', `Press Ctrl+D again to exit${alsoEnded(store)}.`)) actions.quit();
      return true;
    }
    if (isCommand(event, 'app.suspend')) return done(actions.suspend());
    if (state.dialog) return false;
    // Also while a question is open: a mode that allows the call answers it.
    if (isCommand(event, 'app.cycleApprovalMode'))
      return done(actions.setApprovalMode(nextMode(store, actions)));
    if (isCommand(event, 'app.toggleYolo')) {
      const isYolo = state.approvalMode === ApprovalMode.YOLO;
      return done(actions.setApprovalMode(isYolo ? ApprovalMode.DEFAULT : ApprovalMode.YOLO));
    }
    if (state.confirmation) return false;
    if (isCommand(event, 'basic.cancel') && actions.cancel()) return done(actions.takeQueueBack());
    if (isCommand(event, 'app.showMoreLines')) return done(actions.showMore());
    if (isCommand(event, 'app.showFullTodos')) return toggle('showTodos');
    if (isCommand(event, 'app.showIdeContextDetail')) return toggle('showOpenFiles');
    if (isCommand(event, 'app.toggleMarkdown')) {
      toggle('isRawMarkdown');
      return done(actions.redraw({ sinceLastPrompt: true }));
    }
    if (isCommand(event, 'app.toggleCopyMode')) return toggle('isCopyMode');
    if (isCommand(event, 'app.toggleMouseMode')) return done(actions.toggleMouse());
    if (isCommand(event, 'app.showErrorDetails')) return done(actions.showErrors());
    if (isCommand(event, 'app.clearScreen')) return done(actions.redraw());
    if (isCommand(event, 'app.focusShellInput') && state.isShellRunning && actions.isInputEmpty())
      return done(actions.focusShell());
    if (isCommand(event, 'background.toggle')) return done(actions.moveToBackground());
    if (isCommand(event, 'scroll.up')) return done(actions.scroll(1));
    if (isCommand(event, 'scroll.down')) return done(actions.scroll(-1));
    if (isCommand(event, 'scroll.pageUp')) return done(actions.scroll(state.rows - 6));
    if (isCommand(event, 'scroll.pageDown')) return done(actions.scroll(6 - state.rows));
    if (isCommand(event, 'scroll.home')) return done(actions.scroll(Number.POSITIVE_INFINITY));
    if (isCommand(event, 'scroll.end')) return done(actions.scroll(Number.NEGATIVE_INFINITY));
    return false;
  };
}

function done(_: unknown): true {
  return true;
}

function scrollByWheel(action: string, actions: AppActions): boolean {
  if (action === 'wheel_up') actions.scroll(3);
  else if (action === 'wheel_down') actions.scroll(-3);
  return true;
}

/** The composer clears its text first; then a running request is cancelled, then the program ends. */
function quitKey(store: Store, toasts: Toasts, actions: AppActions): true {
  if (toasts.isSecond('quit', `Press Ctrl+C again to exit${alsoEnded(store)}.`)) actions.quit();
  else if (actions.cancel()) actions.takeQueueBack();
  return true;
}

function alsoEnded(store: Store): string {
  const { backgroundTasks } = store.getState().facts;
  return backgroundTasks === 0
    ? ''
    : `; this ends ${backgroundTasks} background task${backgroundTasks === 1 ? '' : 's'}`;
}

/** default -> auto-edit -> plan -> default; no plan while something runs. */
function nextMode(store: Store, { isPlanEnabled }: AppActions): ApprovalMode {
  const { approvalMode, streaming } = store.getState();
  switch (approvalMode) {
    case ApprovalMode.DEFAULT:
    case ApprovalMode.YOLO:
      return ApprovalMode.AUTO_EDIT;
    case ApprovalMode.AUTO_EDIT:
      return streaming === 'idle' && isPlanEnabled() ? ApprovalMode.PLAN : ApprovalMode.DEFAULT;
    default:
      return ApprovalMode.DEFAULT;
  }
}
