/** Sums the sizes of a growing history; reads only new messages. */
import type { Message } from '../protocol/messages.js';
import { isMaskable } from './masking/tool-output-mask.js';
import type { TokenEstimator } from './size/token-estimate.js';

export interface Totals {
  /** Tokens before the estimator's correction. */
  raw: number;
  /** The share of `raw` in tool outputs that could be masked. */
  maskable: number;
  /** The history is not a continuation of the last one. */
  isOther: boolean;
}

export class RunningTotals {
  private seen: Message[] = [];
  private raw = 0;
  private maskable = 0;

  constructor(private readonly estimator: TokenEstimator) {}

  of(history: readonly Message[]): Totals {
    const isOther = !this.isContinuedBy(history);
    if (isOther) this.forget();
    for (let index = this.seen.length; index < history.length; index++) {
      const message = history[index] as Message;
      this.seen.push(message);
      this.raw += this.estimator.rawMessage(message);
      for (const part of message.parts) if (isMaskable(part)) this.maskable += this.estimator.rawPart(part);
    }
    return { raw: this.raw, maskable: this.maskable, isOther };
  }

  private isContinuedBy(history: readonly Message[]): boolean {
    const { seen } = this;
    if (seen.length > history.length) return false;
    for (let index = 0; index < seen.length; index++) if (seen[index] !== history[index]) return false;
    return true;
  }

  private forget(): void {
    this.seen = [];
    this.raw = 0;
    this.maskable = 0;
  }
}
