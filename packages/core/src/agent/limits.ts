/** What ends a run before the model does: turns, tokens and time before each model call, calls before each call. */
import { FatalBudgetError, FatalTurnLimitedError } from '../base/errors.js';

export interface Budget {
  maxTokens?: number;
  maxTimeMs?: number;
  maxToolCalls?: number;
}

/** Stops a prompt that never ends, unless the user set a limit of their own. */
const TURNS_PER_PROMPT = 100;

export class RunLimits {
  private sessionTurns = 0;
  private tokens = 0;
  private toolCalls = 0;
  private readonly startedAt: number;

  /** @param maxSessionTurns below 0: unlimited */
  constructor(
    private readonly maxSessionTurns: number,
    private readonly budget: Budget,
    private readonly now: () => number,
  ) {
    this.startedAt = now();
  }

  addTokens(count: number): void {
    this.tokens += count;
  }

  /** How many calls of tools may still run. */
  get toolCallsLeft(): number {
    return Math.max(0, (this.budget.maxToolCalls ?? Number.POSITIVE_INFINITY) - this.toolCalls);
  }

  /** Counts the calls the model asked for; the error when these were more than there were left. */
  addToolCalls(count: number): FatalBudgetError | undefined {
    this.toolCalls += count;
    const { maxToolCalls } = this.budget;
    if (maxToolCalls === undefined || this.toolCalls <= maxToolCalls) return undefined;
    return new FatalBudgetError(`The budget of ${maxToolCalls} tool call(s) is used up.`);
  }

  /** Throws when the next model call may not be made. */
  beforeModelCall(turnOfPrompt: number): void {
    const { maxTokens, maxTimeMs } = this.budget;
    if (this.maxSessionTurns >= 0 && this.sessionTurns >= this.maxSessionTurns) {
      throw new FatalTurnLimitedError(
        `Reached the limit of ${this.maxSessionTurns} turn(s) for this session (model.maxSessionTurns in settings.json).`,
      );
    }
    if (this.maxSessionTurns < 0 && turnOfPrompt > TURNS_PER_PROMPT) {
      throw new FatalTurnLimitedError(
        `The model took ${TURNS_PER_PROMPT} turns for one prompt and was stopped. Set model.maxSessionTurns to allow more.`,
      );
    }
    if (maxTokens !== undefined && this.tokens >= maxTokens) {
      throw new FatalBudgetError(`The budget of ${maxTokens} tokens is used up (${this.tokens} so far).`);
    }
    if (maxTimeMs !== undefined && this.now() - this.startedAt >= maxTimeMs) {
      throw new FatalBudgetError(`The time budget of ${maxTimeMs / 1000} s is used up.`);
    }
    this.sessionTurns++;
  }
}
