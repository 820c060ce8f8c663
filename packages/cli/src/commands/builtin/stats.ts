/** `/stats`: session statistics, by model and by tool, and the quota where the service reports it. */
import type { Config } from '@gemini-cli/core';
import type { StatsView } from '../../history/item.js';
import type { Action } from './define.js';

export const session: Action = async ({ session: { stats }, services: { config } }) => {
  const quota = config ? await quotaOf(config) : [];
  return {
    type: 'items',
    items: [{ type: 'stats', stats: quota.length > 0 ? { ...stats, quota } : stats }],
  };
};

export const model: Action = ({ session: { stats } }) => ({
  type: 'items',
  items: [{ type: 'model_stats', metrics: stats.metrics }],
});

export const tools: Action = ({ session: { stats } }) => ({
  type: 'items',
  items: [{ type: 'tool_stats', metrics: stats.metrics }],
});

type Quota = NonNullable<StatsView['quota']>;

const TIMEOUT_MS = 3_000;

/** Empty: the service reports none, or does not answer in time. */
async function quotaOf(config: Config): Promise<Quota> {
  try {
    const buckets = await config.refreshUserQuota(AbortSignal.timeout(TIMEOUT_MS));
    return buckets.map(({ model, remainingFraction, resetTime }) => ({
      model,
      usedPercent: 100 - 100 * remainingFraction,
      ...(resetTime !== undefined && timeUntil(resetTime)),
    }));
  } catch {
    return [];
  }
}

const MINUTE_MS = 60_000;

function timeUntil(iso: string): { resetTime?: string } {
  const minutes = Math.ceil((Date.parse(iso) - Date.now()) / MINUTE_MS);
  if (!(minutes > 0)) return {};
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return { resetTime: `in ${[hours > 0 && `${hours}h`, rest > 0 && `${rest}m`].filter(Boolean).join(' ')}` };
}
