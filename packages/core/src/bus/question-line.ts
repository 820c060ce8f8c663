/** Questions to the user: shown one at a time, in order. Each is answered once, or withdrawn. */
import type { AskUserRequest, ToolConfirmationRequest } from '../protocol/confirmation.js';

export type Question = ToolConfirmationRequest | AskUserRequest;

interface Entry {
  question: Question;
  onShown: (() => void) | undefined;
}

export class QuestionLine {
  /** In the order of their arrival; the first is the one that is shown. */
  private readonly waiting = new Map<string, Entry>();
  private shown: string | undefined;
  private isAdvancing = false;

  constructor(private readonly show: (question: Question) => void) {}

  add(question: Question, onShown?: () => void): void {
    this.waiting.set(question.correlationId, { question, onShown });
    this.advance();
  }

  get(correlationId: string): Question | undefined {
    return this.waiting.get(correlationId)?.question;
  }

  all(): Question[] {
    return [...this.waiting.values()].map(({ question }) => question);
  }

  /** False when there is no such question (any more). `tell` runs before the next one is shown. */
  settle(correlationId: string, tell: () => void): boolean {
    if (!this.waiting.delete(correlationId)) return false;
    try {
      tell();
    } finally {
      if (this.shown === correlationId) this.shown = undefined;
      this.advance();
    }
    return true;
  }

  /** A loop, not a recursion: a front end may answer thousands of questions on the spot. */
  private advance(): void {
    if (this.isAdvancing) return;
    this.isAdvancing = true;
    try {
      while (this.shown === undefined) {
        const [next] = this.waiting.values();
        if (!next) return;
        this.shown = next.question.correlationId;
        next.onShown?.();
        this.show(next.question);
      }
    } finally {
      this.isAdvancing = false;
    }
  }
}
