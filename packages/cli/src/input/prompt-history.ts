/** The prompt history of a project: newest last, without duplicates. */

/** Stores the prompts of all sessions. */
export interface PromptLog {
  /** Oldest first, earlier sessions included. */
  read(): Promise<readonly string[]>;
  append(prompt: string): void | Promise<void>;
}

const KEPT = 1_000;

export class PromptHistory {
  private entries: readonly string[] = [];

  constructor(private readonly log?: PromptLog) {}

  /** Prompts typed while this loads stay the newest. An unreadable log counts as empty. */
  async load(): Promise<void> {
    const earlier = (await this.log?.read().catch(() => [])) ?? [];
    this.entries = unique([...earlier, ...this.entries]);
  }

  add(prompt: string): void {
    if (prompt.trim() === '') return;
    this.entries = unique([...this.entries, prompt]);
    const written = this.log?.append(prompt);
    // A prompt that cannot be logged must still be sent.
    if (written) written.catch(() => {});
  }

  /** Returns the same array until something is added. */
  list = (): readonly string[] => this.entries;
}

/** Keeps the last of equal prompts. */
function unique(entries: readonly string[]): readonly string[] {
  return [...new Set([...entries].reverse())].slice(0, KEPT).reverse();
}
