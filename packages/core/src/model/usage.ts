/** The counts a server sends with an answer -> the tokens we keep. */
import type { TokenUsage } from '../protocol/messages.js';
import type { UsageMetadata } from './content-generator.js';

export function toUsage(raw: UsageMetadata): TokenUsage {
  const prompt = raw.promptTokenCount ?? 0;
  const candidates = raw.candidatesTokenCount ?? 0;
  const thoughts = raw.thoughtsTokenCount ?? 0;
  const tool = raw.toolUsePromptTokenCount ?? 0;
  return {
    prompt,
    candidates,
    thoughts,
    tool,
    cached: raw.cachedContentTokenCount ?? 0,
    total: raw.totalTokenCount ?? prompt + candidates + thoughts + tool,
  };
}
