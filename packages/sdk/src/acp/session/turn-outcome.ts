/** How a prompt ended, in the words of the protocol, and what it used. */
import { type PromptResponse, RequestError, type StopReason } from '@agentclientprotocol/sdk';
import {
  type AgentEvent,
  type ErrorInfo,
  FatalTurnLimitedError,
  INVALID_STREAM,
  isMainAgent,
} from '@gemini-cli/core';
import { httpStatus } from '../../events/from-engine.js';

interface Tokens {
  input_tokens: number;
  output_tokens: number;
}

const REFUSALS: ReadonlySet<string> = new Set([
  'SAFETY_BLOCKED',
  'RECITATION_BLOCKED',
  'OTHER_BLOCKED',
  'PromptBlockedError',
]);
/** Finish reasons of an answer that has text but was stopped by a filter. */
const FILTERED: ReadonlySet<string> = new Set([
  'SAFETY',
  'PROHIBITED_CONTENT',
  'BLOCKLIST',
  'SPII',
  'RECITATION',
]);

export class TurnOutcome {
  private readonly byModel = new Map<string, Tokens>();
  private finished: Extract<AgentEvent, { type: 'turn_finished' }> | undefined;
  private looped = false;
  private overflowed = false;
  private failure: string | undefined;
  private finishReason: string | undefined;

  note(event: AgentEvent): void {
    if (event.type === 'usage') this.count(event.model, event.usage);
    if (!isMainAgent(event.agent)) return;
    if (event.type === 'turn_finished') this.finished = event;
    else if (event.type === 'warning' && event.loop) this.looped = true;
    else if (event.type === 'context_window_will_overflow') this.overflowed = true;
    else if (event.type === 'api_failure') this.failure = event.errorType;
    else if (event.type === 'model_turn_finished') {
      this.finishReason = event.reason;
      this.failure = undefined;
    }
  }

  /** Why it ended early, where the response says only that it did. */
  get explanation(): string | undefined {
    return this.finished?.error?.message;
  }

  /** @throws RequestError when the request failed */
  response(isCancelled: boolean): PromptResponse {
    return { stopReason: isCancelled ? 'cancelled' : this.stopReason(), _meta: { quota: this.quota() } };
  }

  private stopReason(): StopReason {
    const { reason, error } = this.finished ?? {};
    if (reason === 'cancelled') return 'cancelled';
    if (this.overflowed) return 'max_tokens';
    if (reason === 'max_turns' || reason === 'budget' || this.looped) return 'max_turn_requests';
    if (reason !== 'error' || !error) return this.afterAnswer();
    if (error.type === FatalTurnLimitedError.type) return 'max_turn_requests';
    if (error.type !== INVALID_STREAM) throw requestError(error);
    if (this.failure === 'MAX_TOKENS_EXCEEDED') return 'max_tokens';
    return this.failure !== undefined && REFUSALS.has(this.failure) ? 'refusal' : 'end_turn';
  }

  private afterAnswer(): StopReason {
    if (this.finishReason === 'MAX_TOKENS') return 'max_tokens';
    return this.finishReason !== undefined && FILTERED.has(this.finishReason) ? 'refusal' : 'end_turn';
  }

  private count(
    model: string,
    { prompt, candidates, thoughts }: Extract<AgentEvent, { type: 'usage' }>['usage'],
  ) {
    const before = this.byModel.get(model) ?? { input_tokens: 0, output_tokens: 0 };
    this.byModel.set(model, {
      input_tokens: before.input_tokens + prompt,
      output_tokens: before.output_tokens + candidates + thoughts,
    });
  }

  private quota() {
    const all = [...this.byModel];
    const sum = (name: keyof Tokens) => all.reduce((total, [, tokens]) => total + tokens[name], 0);
    return {
      token_count: { input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens') },
      model_usage: all.map(([model, token_count]) => ({ model, token_count })),
    };
  }
}

/** The status of the API as the error's code, else 500. */
function requestError(error: ErrorInfo): RequestError {
  return new RequestError(httpStatus(error) ?? 500, error.message, { type: error.type });
}
