/** Policy first, then, where it says so, the user. One question at a time, in the order of the calls. */

import { messageOf } from '../../base/errors.js';
import type { MessageBus } from '../../bus/message-bus.js';
import {
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  type ToolConfirmationResponse,
} from '../../protocol/confirmation.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import { ToolDeniedError } from '../../tools/tools.js';
import type { CallState } from './state.js';

export type Approval = 'go' | 'refused' | 'cancel_batch';

/** A front end that only ever answers "modify" is not asked for ever. */
const MOST_QUESTIONS = 3;

export async function approve(call: CallState, bus: MessageBus, signal: AbortSignal): Promise<Approval> {
  const { invocation, request } = call;
  if (!invocation) return 'refused';
  try {
    const details = await invocation.shouldConfirmExecute(signal);
    // The user's own command is the answer to a question, but not to a rule that forbids the call.
    if (!details || request.isClientInitiated) return 'go';
    call.moveTo('awaiting_approval');
    const answer = await ask(call, details, bus, signal);
    if (answer.requiresUserConfirmation) {
      return refuse(call, "needs the user's approval, and nobody can give it here. Go on without it.");
    }
    const outcome = outcomeOf(answer);
    if (wantsEditor(answer))
      return refuse(call, 'was to be changed in an editor, which is not available here.');
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

/** "Modify" without the modified content is no yes: the question stays. */
async function ask(
  { request }: CallState,
  details: ToolCallConfirmationDetails,
  bus: MessageBus,
  signal: AbortSignal,
): Promise<ToolConfirmationResponse> {
  const toolCall = { id: request.callId, name: request.name, args: request.args };
  let answer = await bus.confirm({ toolCall, details }, signal);
  for (let asked = 1; asked < MOST_QUESTIONS && wantsEditor(answer) && !signal.aborted; asked++) {
    const systemMessage = 'No editor is available here; nothing was changed yet.';
    answer = await bus.confirm({ toolCall, details: { ...details, systemMessage } }, signal);
  }
  return answer;
}

function wantsEditor(answer: ToolConfirmationResponse): boolean {
  const isModify = outcomeOf(answer) === ToolConfirmationOutcome.ModifyWithEditor;
  return isModify && answer.payload?.newContent === undefined;
}

/** Only a confirmed answer can be a yes, whatever outcome it names. */
function outcomeOf({ confirmed, outcome }: ToolConfirmationResponse): ToolConfirmationOutcome {
  if (!confirmed) return ToolConfirmationOutcome.Cancel;
  return outcome ?? ToolConfirmationOutcome.ProceedOnce;
}

function refuse(call: CallState, why: string): Approval {
  call.decision = 'reject';
  call.fail(`"${call.request.name}" ${why}`, ToolErrorType.POLICY_VIOLATION);
  return 'refused';
}
