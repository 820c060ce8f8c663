/** Tells the footer how large the model's context window is, and how much of its quota is used. */
import type { AgentEventBody, Config } from '@gemini-cli/core';
import type { Store } from '../../store/store.js';

export interface UsageSource {
  getModelCatalog(): Pick<ReturnType<Config['getModelCatalog']>, 'contextWindow'>;
  refreshUserQuota: Config['refreshUserQuota'];
}

export class UsageFacts {
  constructor(
    private readonly store: Store,
    private readonly source: () => UsageSource | undefined,
  ) {}

  observe(event: AgentEventBody): void {
    if (event.type === 'usage' && event.role === 'main') this.windowOf(event.model);
    else if (event.type === 'turn_finished') void this.readQuota();
  }

  private windowOf(model: string): void {
    const contextWindow = this.source()?.getModelCatalog().contextWindow(model);
    if (contextWindow !== undefined && contextWindow !== this.store.getState().facts.contextWindow)
      this.store.dispatch({ type: 'facts_changed', facts: { contextWindow } });
  }

  private async readQuota(): Promise<void> {
    // A quota that cannot be read is not shown; the conversation does not depend on it.
    const buckets =
      (await this.source()
        ?.refreshUserQuota()
        .catch(() => [])) ?? [];
    const { facts } = this.store.getState();
    const bucket = buckets.find(({ model }) => model === facts.model);
    const quotaUsedPercent = bucket && 100 - 100 * bucket.remainingFraction;
    if (quotaUsedPercent !== facts.quotaUsedPercent)
      this.store.dispatch({ type: 'facts_changed', facts: { quotaUsedPercent } });
  }
}
