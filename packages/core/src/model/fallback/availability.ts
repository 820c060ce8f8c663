/** Which models are available now, learned from requests; forgotten with the session. */

export type OutageReason = 'quota' | 'capacity' | 'rate_limit' | 'not_found' | 'unavailable';

type Outage =
  /** Not asked before `until`; without it not in this session. */
  | { kind: 'terminal'; reason: OutageReason; until?: number }
  /** Asked once more in every turn of the user; `isSpent`: this turn's try is used. */
  | { kind: 'sticky_retry'; reason: OutageReason; isSpent: boolean };

export interface ModelState {
  kind: 'healthy' | Outage['kind'];
  reason?: OutageReason;
  until?: number;
}

const CAPACITY_PAUSE_MS = 30_000;

export class ModelAvailability {
  private readonly outages = new Map<string, Outage>();

  constructor(private readonly now: () => number) {}

  /** @param until absent: until the session ends; for missing capacity 30 s */
  markTerminal(model: string, reason: OutageReason, until?: number): void {
    const end = until ?? (reason === 'capacity' ? this.now() + CAPACITY_PAUSE_MS : undefined);
    this.outages.set(model, { kind: 'terminal', reason, ...(end !== undefined && { until: end }) });
  }

  /** Unavailable for the rest of this turn; the next one tries it once more. */
  markStickyRetry(model: string, reason: OutageReason = 'unavailable'): void {
    this.outages.set(model, { kind: 'sticky_retry', reason, isSpent: true });
  }

  markHealthy(model: string): void {
    this.outages.delete(model);
  }

  /** A new prompt: every sticky model gets its try back. */
  startTurn(): void {
    for (const outage of this.outages.values()) {
      if (outage.kind === 'sticky_retry') outage.isSpent = false;
    }
  }

  stateOf(model: string): ModelState {
    const outage = this.outageOf(model);
    if (!outage) return { kind: 'healthy' };
    const until = outage.kind === 'terminal' ? outage.until : undefined;
    return { kind: outage.kind, reason: outage.reason, ...(until !== undefined && { until }) };
  }

  isAvailable(model: string): boolean {
    const outage = this.outageOf(model);
    return !outage || (outage.kind === 'sticky_retry' && !outage.isSpent);
  }

  firstAvailable(models: readonly string[]): string | undefined {
    return models.find((model) => this.isAvailable(model));
  }

  /** The user chose a model by hand: all models count as available again. */
  reset(): void {
    this.outages.clear();
  }

  private outageOf(model: string): Outage | undefined {
    const outage = this.outages.get(model);
    if (outage?.kind !== 'terminal' || outage.until === undefined || this.now() < outage.until) return outage;
    this.outages.delete(model);
    return undefined;
  }
}
