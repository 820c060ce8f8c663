/** Remaining quota of each model for users who sign in with Google; shown in the `/model` dialog. */
import type { CodeAssistApi } from './api.js';

export interface QuotaBucket {
  model: string;
  /** 0 to 1. */
  remainingFraction: number;
  /** ISO time, if the service reports it. */
  resetTime?: string;
}

export async function retrieveUserQuota(
  api: CodeAssistApi,
  project: string,
  signal: AbortSignal,
): Promise<QuotaBucket[]> {
  const answer = await api.call('retrieveUserQuota', { project }, signal);
  const { buckets } = (answer ?? {}) as { buckets?: unknown };
  return (Array.isArray(buckets) ? buckets : []).flatMap((bucket: unknown) => {
    const { modelId, remainingFraction, resetTime } = (bucket ?? {}) as Record<string, unknown>;
    if (typeof modelId !== 'string' || typeof remainingFraction !== 'number') return [];
    const left = Math.min(1, Math.max(0, remainingFraction));
    return [{ model: modelId, remainingFraction: left, ...(typeof resetTime === 'string' && { resetTime }) }];
  });
}
