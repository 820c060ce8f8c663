/** Credits of a Google account, which pay for requests once the quota is used up (`billing.overageStrategy`). */
import { objectOf } from '../../base/objects.js';
import type { OnModelNote } from '../model-note.js';

export type OverageStrategy = 'ask' | 'always' | 'never';

/** The kind of credits the service knows. */
const CREDIT_TYPE = 'GOOGLE_ONE_AI';

export class CreditAccount {
  private isAgreed: boolean;

  /** @param balance undefined: the server has not told */
  constructor(
    private balance: number | undefined,
    private readonly strategy: OverageStrategy,
    private readonly onNote?: OnModelNote,
  ) {
    this.isAgreed = strategy === 'always';
  }

  /** Undefined: this account has none, or they must not be spent. */
  state(): 'usable' | 'empty' | undefined {
    if (this.strategy === 'never' || this.balance === undefined) return undefined;
    return this.balance > 0 ? 'usable' : 'empty';
  }

  /** The user agreed, for this session. */
  spend(): void {
    this.isAgreed = true;
  }

  usedUp(): void {
    this.balance = 0;
  }

  /** What a request may spend. */
  enabledTypes(): string[] {
    return this.isAgreed && this.state() === 'usable' ? [CREDIT_TYPE] : [];
  }

  /** @param remaining of an answer; absent: as before */
  note(remaining: unknown): void {
    const balance = creditsIn(remaining);
    if (balance === undefined) return;
    if (this.balance !== undefined && balance < this.balance)
      this.onNote?.({ type: 'credits_used', balance, strategy: this.strategy });
    this.balance = balance;
  }
}

/** The sum of a list `{creditType, creditAmount}`; amounts may be texts. Undefined: not such a list. */
export function creditsIn(value: unknown): number | undefined {
  if (!Array.isArray(value)) return undefined;
  const amounts = value.map((item: unknown) => {
    const { creditType, creditAmount } = objectOf(item);
    const amount = Number(creditAmount);
    return creditType === CREDIT_TYPE && amount > 0 ? amount : 0;
  });
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
