/**
 * What a program keeps of the tool calls of a request, so that another process can continue the request without
 * running a call twice.
 */
import type { CompletedToolCall, ToolCallRequest } from '../../protocol/tool-calls.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import type { CallState } from './state.js';

export interface CallJournal {
  /** From an earlier process: the call's end; `begun`: it began, and its end is unknown. Absent: it did not begin. */
  recall(request: ToolCallRequest): CompletedToolCall | 'begun' | undefined;
  /** Awaited before the call runs. Where it rejects, the call does not run and the request fails. */
  begin(request: ToolCallRequest): Promise<void>;
  /** Awaited before the model gets the result. */
  end(call: CompletedToolCall): Promise<void>;
}

export const INTERRUPTED =
  'The call was interrupted, and its outcome is unknown: it may have run fully, in part, or not at all. ' +
  'Check what it has done before you repeat it.';

/** A call of an earlier process ends here as it ended there. */
export function recallEnd(call: CallState, journal: CallJournal): void {
  const known = journal.recall(call.request);
  if (known === 'begun') call.fail(INTERRUPTED, ToolErrorType.INTERRUPTED);
  else if (known) call.restore(known);
}

export async function journaled(
  call: CallState,
  journal: CallJournal | undefined,
  execute: () => Promise<void>,
): Promise<void> {
  if (!journal) return execute();
  await journal.begin(call.request);
  await execute();
  if (call.completed) await journal.end(call.completed);
}
