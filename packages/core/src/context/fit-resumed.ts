/** Decides how much of a recorded conversation is resumed: what can be sent at once, without a summary first. */
import type { Message, Part } from '../protocol/messages.js';
import { isMaskable, type MaskingSettings } from './masking/tool-output-mask.js';
import type { TokenEstimator } from './size/token-estimate.js';

export interface FitOptions {
  estimator: TokenEstimator;
  /** Tokens at which a conversation is compressed. */
  limit: number;
  masking: Pick<MaskingSettings, 'protectionThresholdTokens'>;
}

/** Room for the system prompt, the tools and the first prompt. */
const SHARE = 0.85;
/** Approximate size of the note for an output that is moved to a file. */
const MASKED_TOKENS = 150;

/** Index of the first message to keep: the newest that fit, beginning with a prompt. */
export function firstThatFits(messages: readonly Message[], options: FitOptions): number {
  const { estimator, limit, masking } = options;
  let [tokens, outputs] = [0, 0];
  const cost = (part: Part): number => {
    const whole = estimator.part(part);
    if (!isMaskable(part)) return whole;
    outputs += whole;
    return outputs > masking.protectionThresholdTokens ? Math.min(whole, MASKED_TOKENS) : whole;
  };
  let first = messages.length;
  while (first > 0) {
    for (const part of messages[first - 1]?.parts ?? []) tokens += cost(part);
    if (tokens > limit * SHARE) break;
    first--;
  }
  if (first === 0) return 0;
  const prompt = messages.findIndex(({ origin }, index) => index >= first && origin === 'prompt');
  // The last turn alone does not fit: it is kept and shortened later like any other.
  return prompt >= 0
    ? prompt
    : Math.max(
        0,
        messages.findLastIndex(({ origin }) => origin === 'prompt'),
      );
}
