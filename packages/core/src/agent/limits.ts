/**
 * Limits of a run: turns, tokens, cost and time before each model call; the number of tool calls before each batch. Time
 * also ends what is running.
 */
import { FatalBudgetError, FatalConfigError, FatalTurnLimitedError } from '../base/errors.js';
import { LONGEST_TIMER_MS } from '../base/longest-timer.js';

export interface Budget {
  /** US dollars. */
  maxCost?: number;
  maxTokens?: number;
  maxTimeMs?: number;
  maxToolCalls?: number;
}

/** What the session has used so far, as `Ledger` counts it. */
export interface Spending {
  readonly totalTokens: number;
  /** Undefined when tokens were used whose price is unknown. */
  readonly totalCost: number | undefined;
  priceOf(model: string): unknown;
}

export class RunLimits {
  private sessionTurns = 0;
  private toolCalls = 0;
  private readonly startedAt: number;

  /** @param maxSessionTurns below 0: unlimited */
  constructor(
    private readonly maxSessionTurns: number,
    private readonly budget: Budget,
    private readonly now: () => number,
    private readonly spending: Spending,
  ) {
    this.startedAt = now();
  }

  get toolCallsLeft(): number {
    return Math.max(0, (this.budget.maxToolCalls ?? Number.POSITIVE_INFINITY) - this.toolCalls);
  }

  /** Counts the calls the model asked for. @returns the error when they exceed the limit */
  addToolCalls(count: number): FatalBudgetError | undefined {
    this.toolCalls += count;
    const { maxToolCalls } = this.budget;
    if (maxToolCalls === undefined || this.toolCalls <= maxToolCalls) return undefined;
    return budgetReached('Tool call', String(this.toolCalls), String(maxToolCalls), 'maxToolCalls');
  }

  /** Calls back when the time budget is used up. @returns stops waiting for it */
  whenTimeIsUp(onEnd: (error: FatalBudgetError) => void): () => void {
    const { maxTimeMs } = this.budget;
    const left = this.startedAt + (maxTimeMs ?? Number.POSITIVE_INFINITY) - this.now();
    if (maxTimeMs === undefined || left > LONGEST_TIMER_MS) return () => undefined;
    const timer = setTimeout(() => onEnd(outOfTime(maxTimeMs, maxTimeMs)), left);
    return () => clearTimeout(timer);
  }

  /** Throws when the next turn of the main conversation may not begin; counts it otherwise. */
  beforeModelCall(): void {
    if (this.maxSessionTurns >= 0 && this.sessionTurns >= this.maxSessionTurns) {
      throw new FatalTurnLimitedError(
        `Reached the limit of ${this.maxSessionTurns} turn(s) for this session (model.maxSessionTurns in settings.json).`,
      );
    }
    this.checkBudget();
    this.sessionTurns++;
  }

  /** Throws when no call to this model is allowed any more, in the main conversation or elsewhere. */
  beforeRequest(model: string): void {
    this.requirePrice(model);
    this.checkBudget();
  }

  /** A cost limit cannot be checked for a model of unknown price. */
  requirePrice(model: string): void {
    if (this.budget.maxCost === undefined || this.spending.priceOf(model) !== undefined) return;
    throw new FatalConfigError(
      `The price of "${model}" is not known, so the cost limit cannot be kept. Add it to model.prices in settings.json, or go without --max-cost and model.budget.maxCost.`,
    );
  }

  private checkBudget(): void {
    const { maxTokens, maxCost, maxTimeMs } = this.budget;
    if (maxTokens !== undefined && this.spending.totalTokens >= maxTokens) {
      throw budgetReached('Token', grouped(this.spending.totalTokens), grouped(maxTokens), 'maxTokens');
    }
    if (maxCost !== undefined) this.checkCost(maxCost);
    if (maxTimeMs !== undefined && this.now() - this.startedAt >= maxTimeMs) {
      throw outOfTime(this.now() - this.startedAt, maxTimeMs);
    }
  }

  private checkCost(maxCost: number): void {
    const { totalCost } = this.spending;
    if (totalCost === undefined) {
      throw new FatalBudgetError(
        `What was used so far has no known price, so the budget of $${maxCost} ends here. Set the price in model.prices.`,
      );
    }
    if (totalCost < maxCost) return;
    throw budgetReached('Cost', `$${totalCost}`, `$${maxCost}`, 'maxCost');
  }
}

/** Says what was reached and how to continue. @param name of the setting under `model.budget`; the flag is made from it */
function budgetReached(what: string, spent: string, limit: string, name: string): FatalBudgetError {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return new FatalBudgetError(
    `${what} budget reached (${spent} of ${limit}). ` +
      `Raise model.budget.${name} or ${flag}, or start a new session.`,
  );
}

/** `20,000`; by hand, since the first use of a locale costs 16 ms. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function outOfTime(spentMs: number, maxTimeMs: number): FatalBudgetError {
  return budgetReached('Time', `${Math.round(spentMs / 100) / 10} s`, `${maxTimeMs / 1000} s`, 'maxTime');
}
