/** First messages of tasks, so that one that is sent twice begins one task. */
const MAX_KEPT = 10_000;

export class FirstMessages {
  private readonly tasks = new Map<string, Promise<string>>();

  /** @returns the task that the message began before, or the one that is made now; one that fails is not kept */
  taskOf(key: string, make: () => Promise<string>): Promise<string> {
    const known = this.tasks.get(key);
    if (known) return known;
    const made = make();
    this.tasks.set(key, made);
    made.catch(() => this.tasks.delete(key));
    const [oldest] = this.tasks.keys();
    if (this.tasks.size > MAX_KEPT && oldest !== undefined) this.tasks.delete(oldest);
    return made;
  }
}
