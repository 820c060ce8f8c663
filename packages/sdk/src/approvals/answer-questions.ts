/** Answers the engine's questions through the handlers of the program. A handler that fails refuses. */
import {
  type AgentEvent,
  type ConfirmationView,
  createLog,
  type EventStream,
  messageOf,
  type ToolConfirmationAnswer,
  ToolConfirmationOutcome,
  type ToolConfirmationQuestion,
} from '@gemini-cli/core';
import type { GeminiCliAgentOptions } from '../agent/options.js';
import type { AskUserQuestion, SessionContext } from '../context/types.js';
import type { ApprovalOutcome } from './types.js';

export interface AnswerParts {
  events: EventStream;
  options: Pick<GeminiCliAgentOptions, 'onApproval' | 'onAskUser'>;
  contextOf: () => SessionContext;
}

const log = createLog('sdk');
const { ProceedOnce, ProceedAlways, ProceedAlwaysTool, ProceedAlwaysServer, ProceedAlwaysAndSave, Cancel } =
  ToolConfirmationOutcome;

/** @returns a function that ends it */
export function answerQuestions({ events, options, contextOf }: AnswerParts): () => void {
  return events.subscribe(
    (event) => {
      if (event.type === 'question') void answerOne(event);
    },
    { answers: true, content: false },
  );

  async function answerOne({ id, question }: Extract<AgentEvent, { type: 'question' }>): Promise<void> {
    // After all subscribers have seen the question.
    await Promise.resolve();
    try {
      const answer = await answerTo(question);
      if (answer === undefined || !events.answer(id, answer)) events.dismiss(id);
    } catch (error) {
      log.error('A handler of the program failed; the answer is no.', error);
      const feedback = `The program could not decide: ${messageOf(error)}`;
      if (question.kind !== 'tool_confirmation' || !events.answer(id, refusal(feedback))) events.dismiss(id);
    }
  }

  async function answerTo(question: Extract<AgentEvent, { type: 'question' }>['question']) {
    const { onApproval, onAskUser } = options;
    if (question.kind === 'ask_user') return onAskUser?.(question.questions, contextOf());
    if (question.kind !== 'tool_confirmation') return undefined;
    const { details } = question;
    if (details?.type === 'ask_user') {
      const reply = await onAskUser?.(details.questions as AskUserQuestion[], contextOf());
      if (!reply) return onAskUser && refusal();
      return { outcome: ProceedOnce, payload: { answers: reply.answers } };
    }
    if (!onApproval || !details) return undefined;
    return toAnswer(await onApproval(requestOf(question, details), contextOf()), details);
  }
}

function requestOf(
  { callId = '', toolName, args, subagent }: ToolConfirmationQuestion,
  details: ConfirmationView,
) {
  const { type: kind, title } = details;
  return { callId, toolName, args, kind, title, details, ...(subagent !== undefined && { subagent }) };
}

const OUTCOMES: Readonly<Record<string, ToolConfirmationOutcome>> = {
  allow: ProceedOnce,
  allow_session: ProceedAlways,
  allow_tool: ProceedAlwaysTool,
  allow_server: ProceedAlwaysServer,
  allow_and_save: ProceedAlwaysAndSave,
};

function toAnswer(given: ApprovalOutcome, details: ConfirmationView): ToolConfirmationAnswer {
  if (typeof given === 'string') {
    const outcome = Object.hasOwn(OUTCOMES, given) ? OUTCOMES[given] : undefined;
    return outcome === undefined ? refusal() : { outcome, ...planApproval(details) };
  }
  if (given?.outcome !== 'allow') return refusal(given?.outcome === 'deny' ? given.reason : undefined);
  const { args, newContent } = given;
  if (args === undefined && newContent === undefined)
    return { outcome: ProceedOnce, ...planApproval(details) };
  return {
    outcome: ProceedOnce,
    payload: { ...(args && { args }), ...(newContent !== undefined && { newContent }) },
  };
}

/** The approval of a plan must say so. */
function planApproval({ type }: ConfirmationView): Pick<ToolConfirmationAnswer, 'payload'> {
  return type === 'exit_plan_mode' ? { payload: { approved: true } } : {};
}

function refusal(feedback?: string): ToolConfirmationAnswer {
  return { outcome: Cancel, ...(feedback && { payload: { feedback } }) };
}
