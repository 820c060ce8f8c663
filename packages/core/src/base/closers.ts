/** Closes resources in reverse order; all of them, even if one fails. */
export class Closers {
  private readonly open: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.open.push(close);
  }

  /** Does nothing the second time. @throws the first failure, once all are closed */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.open.pop(); close; close = this.open.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
