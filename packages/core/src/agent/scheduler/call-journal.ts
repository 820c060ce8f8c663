import type { CompletedToolCall, ToolCallRequest } from '../../protocol/tool-calls.js';

/**
 * What a program keeps of the tool calls of a request, so that another process can continue the request without
 * running a call twice.
 */
export interface CallJournal {
  /** The end of a call that began in an earlier process: it does not run again. Absent: it never began. */
  recall(request: ToolCallRequest): CompletedToolCall | undefined;
  /** Runs a call. Where it rejects before that, the call does not run and the request fails. */
  around(request: ToolCallRequest, run: () => Promise<CompletedToolCall | undefined>): Promise<void>;
}
