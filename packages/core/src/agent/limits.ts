/** What ends a run before the model does: turns, tokens, time, calls. Checked before each model call. */
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

  addToolCalls(count: number): void {
    this.toolCalls += count;
  }

  /** Throws when the next model call may not be made. */
  beforeModelCall(turnOfPrompt: number): void {
    const { maxTokens, maxTimeMs, maxToolCalls } = this.budget;
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
    if (maxToolCalls !== undefined && this.toolCalls >= maxToolCalls) {
      throw new FatalBudgetError(`The budget of ${maxToolCalls} tool call(s) is used up.`);
    }
    this.sessionTurns++;
  }
}
