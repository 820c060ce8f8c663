/** Decides when to notify a user who is not looking at the window: work has ended, or a question waits. */
import type { Settings } from '@gemini-cli/core';
import type { InputEvent } from '../keys/key.js';
import type { UiState } from '../store/state.js';
import { notificationSequence } from './notify.js';

export interface NotifierPorts {
  settings: () => Settings;
  write: (data: string) => void;
  env: NodeJS.ProcessEnv;
  now: () => number;
}

/** After work this long the user may be looking elsewhere. */
const LONG_MS = 10_000;

export class Notifier {
  /** Undefined: the terminal has not reported the focus. */
  private isFocused: boolean | undefined;
  private wasAsking = false;
  private busySince: number | undefined;

  constructor(private readonly ports: NotifierPorts) {}

  /** Must see every terminal event; uses none of them up. */
  readonly watch = (event: InputEvent): false => {
    if (event.kind === 'focus') this.isFocused = event.focused;
    return false;
  };

  /** Must be called with every new state. */
  update(state: UiState): void {
    const isBusy = state.streaming !== 'idle';
    const isAsking = isBusy && (state.confirmation !== undefined || state.dialog !== undefined);
    if (isAsking && !this.wasAsking) this.tell('Action required', questionOf(state));
    this.wasAsking = isAsking;
    if (isBusy) {
      this.busySince ??= this.ports.now();
      return;
    }
    const tookMs = this.busySince === undefined ? 0 : this.ports.now() - this.busySince;
    this.busySince = undefined;
    if (tookMs >= LONG_MS) this.tell('Session complete', 'The work is done; it is your turn.');
  }

  private tell(title: string, text: string): void {
    const { settings, write, env } = this.ports;
    const { enableNotifications, notificationMethod } = settings().general ?? {};
    if (!enableNotifications || this.isFocused) return;
    write(notificationSequence({ title: `Gemini CLI: ${title}`, text }, notificationMethod ?? 'auto', env));
  }
}

function questionOf({ confirmation }: UiState): string {
  return confirmation ? `May ${confirmation.toolName} run?` : 'A question waits for your answer.';
}
