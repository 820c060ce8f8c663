/** Collects items and exports them in batches: after a delay, when there are many, and at the end. */

/** The result an exporter reports; code 0 is success. */
export interface Delivery {
  code: number;
  error?: Error;
}

type Export<T> = (items: T[], done: (result: Delivery) => void) => void;

const DELAY_MS = 5_000;
const MAX_ITEMS = 256;

export class Batch<T> {
  private items: T[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly deliver: Export<T>,
    private readonly onFailure: (reason: string) => void,
  ) {}

  add(item: T): void {
    this.items.push(item);
    if (this.items.length >= MAX_ITEMS) this.send();
    else this.timer ??= setTimeout(() => this.send(), DELAY_MS).unref();
  }

  send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.items.length === 0) return;
    const items = this.items;
    this.items = [];
    const delivery = this.delivered(items).finally(() => this.underWay.delete(delivery));
    this.underWay.add(delivery);
  }

  /** Resolves when every batch was delivered or has failed. */
  async close(): Promise<void> {
    this.send();
    await Promise.all(this.underWay);
  }

  private delivered(items: T[]): Promise<void> {
    return new Promise((resolve) => {
      const done = ({ code, error }: Delivery) => {
        if (code !== 0) this.onFailure(error?.message || 'the export failed');
        resolve();
      };
      try {
        this.deliver(items, done);
      } catch (error) {
        done({ code: 1, error: error instanceof Error ? error : new Error(String(error)) });
      }
    });
  }
}
