/** The approval mode of the session, the one before plan mode, and who wants to know of changes. */
import { ApprovalMode } from '../protocol/confirmation.js';

export class ModeState {
  /** The mode that plan mode took the place of; undefined when the session began in it, or never was in it. */
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

  /** Told after every change, whoever made it. @returns stops */
  onChange(listener: (mode: ApprovalMode) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
