/** Questions of the engine -> the screen -> answers. One is open at a time; the bus keeps the others waiting. */
import {
  type MessageBus,
  MessageBusType,
  ToolConfirmationOutcome,
  type ToolConfirmationPayload,
} from '@gemini-cli/core';
import type { Store } from '../store/store.js';

/** Shows every question of this bus. @returns stops */
export function watchConfirmations(bus: MessageBus, store: Store): () => void {
  return bus.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, (request) => {
    const { correlationId, details, digest, toolCall, serverName, subagent } = request;
    if (!details) return;
    store.dispatch({
      type: 'confirmation_opened',
      confirmation: {
        correlationId,
        details,
        toolName: toolCall.name,
        ...(digest && { digest }),
        ...(toolCall.id && { callId: toolCall.id }),
        ...(toolCall.args && { args: toolCall.args }),
        ...(serverName && { serverName }),
        ...(subagent && { subagent }),
      },
    });
  });
}

/** Answers the open question; without one it does nothing. */
export async function answerConfirmation(
  bus: Pick<MessageBus, 'publish'>,
  store: Store,
  outcome: ToolConfirmationOutcome,
  payload?: ToolConfirmationPayload,
): Promise<void> {
  const { confirmation } = store.getState();
  if (!confirmation) return;
  if (outcome === ToolConfirmationOutcome.ModifyWithEditor && confirmation.details.type === 'edit') {
    // It stays until the next question, or the end of the call: the editor is open.
    const details = { ...confirmation.details, isModifying: true };
    store.dispatch({ type: 'confirmation_opened', confirmation: { ...confirmation, details } });
  } else store.dispatch({ type: 'confirmation_closed' });
  await bus.publish({
    type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
    correlationId: confirmation.correlationId,
    confirmed: outcome !== ToolConfirmationOutcome.Cancel,
    outcome,
    ...(payload && { payload }),
    ...(confirmation.digest && { digest: confirmation.digest }),
  });
}
