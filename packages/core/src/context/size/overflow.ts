/** How much of a message does not fit into the window; undefined: it fits. */
import type { Prepared } from '../context-service.js';
import type { RequestSize } from './request-size.js';

export function overflowOf(size: RequestSize, window: number): Prepared['overflow'] {
  if (size.historyTokens + size.messageTokens <= window) return undefined;
  return {
    estimatedRequestTokenCount: Math.round(size.messageTokens),
    remainingTokenCount: Math.max(0, Math.floor(window - size.historyTokens)),
  };
}
