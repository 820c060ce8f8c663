/** Limits of one sub-agent: its own turns and calls; tokens, cost and time count for the whole session. */
import { FatalTurnLimitedError } from '../base/errors.js';
import type { RunLimits } from './limits.js';

export interface AgentBounds {
  maxTurns?: number;
  maxCallsPerTurn?: number;
}

export class AgentLimits {
  private turns = 0;

  constructor(
    private readonly session: Pick<RunLimits, 'addToolCalls' | 'toolCallsLeft'>,
    private readonly bounds: AgentBounds,
  ) {}

  /** The ledger checks the budget with each request. */
  beforeModelCall(): void {
    const { maxTurns } = this.bounds;
    if (maxTurns !== undefined && this.turns >= maxTurns) {
      throw new FatalTurnLimitedError(`The agent reached its limit of ${maxTurns} turn(s).`);
    }
    this.turns++;
  }

  get toolCallsLeft(): number {
    return Math.min(this.session.toolCallsLeft, this.bounds.maxCallsPerTurn ?? Number.POSITIVE_INFINITY);
  }

  addToolCalls(count: number) {
    return this.session.addToolCalls(count);
  }
}
