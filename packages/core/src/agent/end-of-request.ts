/** The last events of a request that was cancelled, stopped, blocked or failed. */
import { FatalBudgetError, FatalTurnLimitedError } from '../base/errors.js';
import type { AgentEventBody, TurnEndReason } from '../protocol/agent-events.js';
import { toErrorInfo } from './error-info.js';
import { asAuthenticationError } from './gemini-client.js';
import { BlockedExecution, StopExecution } from './stop-execution.js';

export function endOf(thrown: unknown, signal: AbortSignal): AgentEventBody[] {
  if (signal.aborted) return [{ type: 'turn_finished', reason: 'cancelled' }];
  if (thrown instanceof StopExecution) {
    return onPurpose('stopped', `Agent execution stopped: ${thrown.message}`);
  }
  if (thrown instanceof BlockedExecution) {
    return onPurpose('blocked', `Agent execution blocked: ${thrown.message}`);
  }
  return failed(thrown);
}

export function failed(thrown: unknown): AgentEventBody[] {
  const cause = asAuthenticationError(thrown);
  const error = toErrorInfo(cause);
  return [
    { type: 'error', error },
    { type: 'turn_finished', reason: endReasonOf(cause), error },
  ];
}

function onPurpose(reason: 'stopped' | 'blocked', message: string): AgentEventBody[] {
  return [
    { type: 'warning', code: reason, message },
    { type: 'turn_finished', reason },
  ];
}

function endReasonOf(error: unknown): TurnEndReason {
  if (error instanceof FatalTurnLimitedError) return 'max_turns';
  return error instanceof FatalBudgetError ? 'budget' : 'error';
}
