/** Converts a server's token counts to ours. */
import type { TokenUsage } from '../protocol/messages.js';
import type { UsageMetadata } from './content-generator.js';

export function toUsage(raw: UsageMetadata): TokenUsage {
  const prompt = count(raw.promptTokenCount) ?? 0;
  const candidates = count(raw.candidatesTokenCount) ?? 0;
  const thoughts = count(raw.thoughtsTokenCount) ?? 0;
  const tool = count(raw.toolUsePromptTokenCount) ?? 0;
  return {
    prompt,
    candidates,
    thoughts,
    tool,
    cached: count(raw.cachedContentTokenCount) ?? 0,
    total: count(raw.totalTokenCount) ?? prompt + candidates + thoughts + tool,
  };
}

/** Invalid numbers must neither refund a budget nor exhaust it. */
const MAX_TOKENS = 1e12;

function count(value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && value <= MAX_TOKENS ? value : undefined;
}
