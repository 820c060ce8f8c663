/** Policy first, then, where it says so, the user. One question at a time, in the order of the calls. */

import { messageOf } from '../../base/errors.js';
import type { MessageBus } from '../../bus/message-bus.js';
import { ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import { ToolDeniedError } from '../../tools/tools.js';
import type { CallState } from './state.js';

export type Approval = 'go' | 'refused' | 'cancel_batch';

export async function approve(call: CallState, bus: MessageBus, signal: AbortSignal): Promise<Approval> {
  const { invocation, request } = call;
  if (!invocation) return 'refused';
  if (request.isClientInitiated) return 'go';
  try {
    const details = await invocation.shouldConfirmExecute(signal);
    if (!details) return 'go';
    call.moveTo('awaiting_approval');
    const answer = await bus.confirm(
      { toolCall: { id: request.callId, name: request.name, args: request.args }, details },
      signal,
    );
    if (answer.requiresUserConfirmation) {
      call.decision = 'reject';
      call.fail(
        `"${request.name}" needs the user's approval, and nobody can give it here. Go on without it.`,
        ToolErrorType.POLICY_VIOLATION,
      );
      return 'refused';
    }
    const outcome =
      answer.outcome ??
      (answer.confirmed ? ToolConfirmationOutcome.ProceedOnce : ToolConfirmationOutcome.Cancel);
    await details.onConfirm(outcome, answer.payload);
    if (outcome === ToolConfirmationOutcome.Cancel || signal.aborted) {
      call.decision = 'reject';
      call.cancel('The user did not allow this call.');
      return 'cancel_batch';
    }
    call.decision = answer.payload?.newContent === undefined ? 'accept' : 'modify';
    return 'go';
  } catch (error) {
    call.decision = 'reject';
    if (signal.aborted) call.cancel('The user cancelled the request.');
    else if (error instanceof ToolDeniedError) call.fail(error.message, ToolErrorType.POLICY_VIOLATION);
    else call.fail(messageOf(error), ToolErrorType.UNHANDLED_EXCEPTION);
    return 'refused';
  }
}
