/** What a conversation falls back on when its model fails: other models, and a shorter history. */
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { ChatRequest } from './gemini-chat.js';

export interface ModelSwitch {
  /** The same request, for another model. */
  request: ChatRequest;
  /** Kind of failure: `rate_limit`, `overloaded`, … */
  errorClass: string;
  /** For the user: what failed, and until when. */
  reason: string;
}

export interface Recovery {
  /** Tries a model has; undefined: as many as the user set. */
  attemptsFor(model: string): number | undefined;
  /**
   * Another model to continue with; `keep_trying`: the user wants this one asked until it answers; `retry`: what
   * stood in the way is gone, so the request is made again at once.
   * @param failed.isLast no further try with this model would follow
   */
  switchAfter(failed: {
    request: ChatRequest;
    error: unknown;
    isLast: boolean;
    /** Withdraws the question to the user. */
    signal: AbortSignal;
  }): Promise<ModelSwitch | 'keep_trying' | 'retry' | undefined>;
  succeeded(model: string): void;
  /** The request for another try after a bad answer: other settings may apply. */
  forRetry(request: ChatRequest): ChatRequest;
  /** The conversation does not fit the model. Undefined: it could not be shortened. */
  shorten(request: ChatRequest, signal: AbortSignal): Promise<AgentEventBody[] | undefined>;
}

/** No fallback: one model, and no compression. */
export const NO_RECOVERY: Recovery = {
  attemptsFor: () => undefined,
  switchAfter: async () => undefined,
  succeeded: () => undefined,
  forRetry: (request) => request,
  shorten: async () => undefined,
};
