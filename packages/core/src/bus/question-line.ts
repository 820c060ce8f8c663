/** The queue of questions to the user: shown one at a time, in order. Each is answered once, or withdrawn. */
export class QuestionLine<T extends { readonly id: string }> {
  /** In order of arrival; the first is shown. */
  private readonly waiting = new Map<string, T>();
  private shown: string | undefined;
  private isAdvancing = false;

  constructor(private readonly show: (question: T) => void) {}

  add(question: T): void {
    this.waiting.set(question.id, question);
    this.advance();
  }

  get(id: string): T | undefined {
    return this.waiting.get(id);
  }

  all(): T[] {
    return [...this.waiting.values()];
  }

  /** The question on the screen now. */
  get open(): T | undefined {
    return this.shown === undefined ? undefined : this.waiting.get(this.shown);
  }

  /** False when the question is not open (any more). `tell` runs before the next one is shown. */
  settle(id: string, tell: () => void): boolean {
    if (!this.waiting.delete(id)) return false;
    try {
      tell();
    } finally {
      if (this.shown === id) this.shown = undefined;
      this.advance();
    }
    return true;
  }

  /** A loop, not a recursion: a front end may answer thousands of questions synchronously. */
  private advance(): void {
    if (this.isAdvancing) return;
    this.isAdvancing = true;
    try {
      while (this.shown === undefined) {
        const [next] = this.waiting.values();
        if (!next) return;
        this.shown = next.id;
        this.show(next);
      }
    } finally {
      this.isAdvancing = false;
    }
  }
}
