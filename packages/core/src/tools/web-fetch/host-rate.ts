/** Limits how often one host is requested. */

const WINDOW_MS = 60_000;
const MAX_REQUESTS = 10;
/** Old entries are looked for only when there are many. */
const MANY_HOSTS = 500;

export class HostRate {
  private readonly asked = new Map<string, number[]>();

  constructor(private readonly now: () => number) {}

  /** Milliseconds to wait; 0 when the request may be sent, which then counts. */
  take(hostname: string): number {
    const now = this.now();
    // A dot at the end is another way to write the same name.
    const host = hostname.replace(/\.$/, '');
    if (this.asked.size > MANY_HOSTS) this.forget(now);
    const recent = (this.asked.get(host) ?? []).filter((time) => now - time < WINDOW_MS);
    this.asked.set(host, recent);
    const oldest = recent[0];
    if (recent.length >= MAX_REQUESTS && oldest !== undefined) return oldest + WINDOW_MS - now;
    recent.push(now);
    return 0;
  }

  private forget(now: number): void {
    for (const [host, times] of this.asked) {
      if (times.every((time) => now - time >= WINDOW_MS)) this.asked.delete(host);
    }
  }
}
