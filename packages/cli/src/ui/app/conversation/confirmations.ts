/** Shows questions about tool calls and sends the answers. One is open at a time; the engine queues the others. */
import {
  type AskUserQuestion,
  type EventStream,
  messageOf,
  ToolConfirmationOutcome,
  type ToolConfirmationPayload,
  type ToolConfirmationQuestion,
} from '@gemini-cli/core';
import type { OpenConfirmation } from '../../store/state.js';
import type { Store } from '../../store/store.js';

export type Answerer = Pick<EventStream, 'answer' | 'dismiss'>;

type Edit = Extract<OpenConfirmation['details'], { type: 'edit' }>;

/** Opens a proposal in the user's editor. @returns the edited text */
export type EditProposal = (proposal: Edit) => Promise<string>;

/** @returns false: it has nothing to show */
export function openConfirmation(
  store: Store,
  correlationId: string,
  question: ToolConfirmationQuestion | AskUserQuestion,
): boolean {
  const confirmation = confirmationOf(correlationId, question);
  if (confirmation) store.dispatch({ type: 'confirmation_opened', confirmation });
  return confirmation !== undefined;
}

/** The question is settled, here or by another subscriber. */
export function closeConfirmation(store: Store, correlationId: string): void {
  if (store.getState().confirmation?.correlationId === correlationId)
    store.dispatch({ type: 'confirmation_closed' });
}

function confirmationOf(
  correlationId: string,
  question: ToolConfirmationQuestion | AskUserQuestion,
): OpenConfirmation | undefined {
  if (question.kind === 'ask_user') {
    const { questions, asker } = question;
    const details = { type: 'ask_user' as const, title: 'Ask User', questions, ...(asker && { asker }) };
    return { correlationId, toolName: 'ask_user', details, isPlainQuestion: true };
  }
  const { details, toolName, digest, callId, args, serverName, subagent } = question;
  if (!details) return undefined;
  return {
    correlationId,
    details,
    toolName,
    args: { ...args },
    ...(digest && { digest }),
    ...(callId && { callId }),
    ...(serverName && { serverName }),
    ...(subagent && { subagent }),
  };
}

/** Answers the open question; without one it does nothing. */
export async function answerConfirmation(
  engine: Answerer,
  store: Store,
  outcome: ToolConfirmationOutcome,
  payload?: ToolConfirmationPayload,
  edit?: EditProposal,
): Promise<void> {
  const { confirmation } = store.getState();
  if (!confirmation) return;
  const { correlationId, details, digest } = confirmation;
  if (confirmation.isPlainQuestion) {
    store.dispatch({ type: 'confirmation_closed' });
    if (outcome === ToolConfirmationOutcome.Cancel) engine.dismiss(correlationId);
    else engine.answer(correlationId, { answers: payload?.answers ?? {} });
    return;
  }
  const answer = (given?: ToolConfirmationPayload) =>
    engine.answer(correlationId, { outcome, ...(given && { payload: given }), ...(digest && { digest }) });
  if (outcome !== ToolConfirmationOutcome.ModifyWithEditor || details.type !== 'edit' || !edit) {
    store.dispatch({ type: 'confirmation_closed' });
    answer(payload);
    return;
  }
  const reopened = (changes: Partial<Edit>) =>
    store.dispatch({
      type: 'confirmation_opened',
      confirmation: { ...confirmation, details: { ...details, ...changes } },
    });
  reopened({ isModifying: true });
  try {
    answer({ newContent: await edit(details) });
  } catch (error) {
    // The user may have cancelled the request while the editor was open.
    if (store.getState().confirmation?.correlationId !== correlationId) return;
    reopened({ systemMessage: messageOf(error) });
  }
}
