/** Holds the approval mode of the session and notifies listeners of changes. */
import { ApprovalMode } from '../protocol/confirmation.js';

export class ModeState {
  /** The mode to return to after plan mode; undefined when the session began in plan mode, or never entered it. */
  beforePlan: ApprovalMode | undefined;
  private readonly listeners = new Set<(mode: ApprovalMode) => void>();

  constructor(private mode: ApprovalMode) {}

  get current(): ApprovalMode {
    return this.mode;
  }

  change(mode: ApprovalMode): void {
    if (mode === this.mode) return;
    if (mode === ApprovalMode.PLAN) this.beforePlan = this.mode;
    this.mode = mode;
    for (const listener of [...this.listeners]) listener(mode);
  }

  /** @returns a function that removes the listener */
  onChange(listener: (mode: ApprovalMode) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
