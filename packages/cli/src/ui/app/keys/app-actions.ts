/** What the keys of the app do. */
import { type ApprovalMode, setting } from '@gemini-cli/core';
import type { App } from '../app.js';
import { switchMode } from '../conversation/mode-switch.js';
import type { AppActions } from './app-keys.js';

export interface ActionPorts {
  /** Queued messages, for editing. */
  takeQueue(): string | undefined;
  /** Into the input, before what was typed since. */
  giveBack(text: string): void;
  showMore(): void;
  reprint(): void;
  suspend(): void;
  quit(): void;
  scrollOffset(): number;
  maxScroll(): number;
  /** @returns whether the mouse is ours now */
  toggleMouse(): boolean;
}

export function makeActions(app: App, ports: ActionPorts): AppActions {
  return {
    cancel: () => app.conversation.cancel(),
    takeQueueBack: () => {
      const text = ports.takeQueue();
      if (text !== undefined) ports.giveBack(text);
      return text !== undefined;
    },
    setApprovalMode: (mode) => setApprovalMode(app, mode),
    isPlanEnabled: () => setting(app.settings, 'general.plan.enabled'),
    showMore: ports.showMore,
    redraw: ports.reprint,
    suspend: ports.suspend,
    quit: ports.quit,
    scroll: (lines) => {
      const offset = Math.max(0, Math.min(ports.maxScroll(), ports.scrollOffset() + lines));
      app.store.dispatch({ type: 'scrolled', offset });
    },
    toggleMouse: () => {
      const isOurs = ports.toggleMouse();
      app.toasts.show(isOurs ? 'Mouse: ours (Ctrl+S gives it back).' : 'Mouse: select and copy.');
    },
    sendToShell: (bytes) => app.writeToShell(bytes),
    moveToBackground: () => void toBackground(app),
    showErrors: () => app.showErrors(),
  };
}

export function setApprovalMode(app: App, mode: ApprovalMode): void {
  const { config } = app.engine;
  if (!config) return;
  const refuse = (why: string) => app.toasts.show(why, 'warning');
  void switchMode(mode, config, app.store, refuse).catch(app.noteProblem);
}

/** The running command goes on there; without one, the pane opens or closes. */
async function toBackground(app: App): Promise<void> {
  const isMoved = await app.moveShellToBackground();
  const { showTasks } = app.store.getState();
  if (!isMoved) app.store.dispatch({ type: 'switched', what: 'showTasks', to: !showTasks });
}
