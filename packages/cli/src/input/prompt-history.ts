/** Earlier prompts of the project, newest last, each once. */

/** Where prompts of all sessions are kept. */
export interface PromptLog {
  /** Earlier sessions included, oldest first. */
  read(): Promise<readonly string[]>;
  append(prompt: string): void | Promise<void>;
}

const KEPT = 1_000;

export class PromptHistory {
  private entries: readonly string[] = [];

  constructor(private readonly log?: PromptLog) {}

  /** What was typed before this is done stays the newest. A log that cannot be read is an empty one. */
  async load(): Promise<void> {
    const earlier = (await this.log?.read().catch(() => [])) ?? [];
    this.entries = unique([...earlier, ...this.entries]);
  }

  add(prompt: string): void {
    if (prompt.trim() === '') return;
    this.entries = unique([...this.entries, prompt]);
    const written = this.log?.append(prompt);
    // The prompt is on its way; that it cannot be found again later must not stop it.
    if (written) written.catch(() => {});
  }

  /** The same list until something is added. */
  list = (): readonly string[] => this.entries;
}

/** The last of equal ones counts. */
function unique(entries: readonly string[]): readonly string[] {
  return [...new Set([...entries].reverse())].slice(0, KEPT).reverse();
}
