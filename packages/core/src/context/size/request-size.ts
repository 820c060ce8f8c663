/** Measures the next request: the server's last count plus an estimate of what was added since. */
import type { Message } from '../../protocol/messages.js';
import type { ContextManagerOptions, PrepareInput } from '../context-service.js';
import { RunningTotals } from '../running-totals.js';
import { hasMedia } from './token-estimate.js';

export interface RequestSize {
  /** System prompt, tools and the conversation so far. */
  historyTokens: number;
  messageTokens: number;
  /** Tokens in tool outputs that could be masked. */
  maskableTokens: number;
}

/** Above this share of the limit the server counts requests with media. */
const NEAR_LIMIT = 0.7;

type SizeOptions = Pick<ContextManagerOptions, 'estimator' | 'countTokens'>;

export class RequestMeter {
  private readonly totals: RunningTotals;
  /** The last request: the estimate, and below the server's count. */
  private sent: { raw: number; overhead: number } | undefined;
  private counted: { raw: number; overhead: number; tokens: number } | undefined;

  constructor(private readonly options: SizeOptions) {
    this.totals = new RunningTotals(options.estimator);
  }

  measure(history: readonly Message[], overhead: number, message?: Message): RequestSize {
    const { estimator } = this.options;
    const { raw, maskable, isOther } = this.totals.of(history);
    if (isOther) this.counted = undefined;
    const { counted } = this;
    const correction = estimator.correction;
    const historyTokens = counted
      ? Math.max(0, counted.tokens + (raw - counted.raw) * correction + overhead - counted.overhead)
      : raw * correction + overhead;
    const messageRaw = message ? estimator.rawMessage(message) : 0;
    this.sent = { raw: raw + messageRaw, overhead };
    return { historyTokens, messageTokens: messageRaw * correction, maskableTokens: maskable * correction };
  }

  /** Asks the server near a limit, because media are hard to estimate. */
  async recount(size: RequestSize, input: PrepareInput, limit: number): Promise<RequestSize> {
    const total = size.historyTokens + size.messageTokens;
    if (!this.options.countTokens || total < limit * NEAR_LIMIT || !hasMedia(input.message)) return size;
    try {
      const messageTokens = await this.options.countTokens([input.message], input.model, input.signal);
      return Number.isFinite(messageTokens) ? { ...size, messageTokens } : size;
    } catch (error) {
      if (input.signal.aborted) throw error;
      return size;
    }
  }

  /** The next request is not measured, so there is nothing to learn from it. */
  skip(): void {
    this.sent = undefined;
  }

  learn(promptTokens: number): void {
    if (!this.sent || !(promptTokens > 0) || !Number.isFinite(promptTokens)) return;
    const { estimator } = this.options;
    estimator.learn(this.sent.raw * estimator.correction + this.sent.overhead, promptTokens);
    this.counted = { ...this.sent, tokens: promptTokens };
  }
}
