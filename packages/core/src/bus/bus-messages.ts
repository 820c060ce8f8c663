/** Converts questions and answers to messages of the bus, and back. */
import {
  type AskUserRequest,
  type AskUserResponse,
  MessageBusType,
  ToolConfirmationOutcome,
  type ToolConfirmationRequest,
  type ToolConfirmationResponse,
} from '../protocol/confirmation.js';
import type { Answer, ToolConfirmationAnswer, ToolConfirmationQuestion } from '../protocol/questions.js';
import type { OpenQuestion, Reply } from './questions.js';

export function confirmationQuestion(
  request: Omit<ToolConfirmationRequest, 'type' | 'correlationId' | 'forcedDecision'>,
): ToolConfirmationQuestion {
  const { toolCall, details, digest, serverName, subagent } = request;
  return {
    kind: 'tool_confirmation',
    toolName: toolCall.name,
    args: toolCall.args,
    ...(toolCall.id !== undefined && { callId: toolCall.id }),
    ...(details && { details }),
    ...(digest !== undefined && { digest }),
    ...(serverName !== undefined && { serverName }),
    ...(subagent !== undefined && { subagent }),
  };
}

/** Undefined: the bus has no message for this kind of question. */
export function requestFor({
  id: correlationId,
  question,
}: OpenQuestion): ToolConfirmationRequest | AskUserRequest | undefined {
  if (question.kind === 'ask_user')
    return { type: MessageBusType.ASK_USER_REQUEST, correlationId, questions: question.questions };
  if (question.kind !== 'tool_confirmation') return undefined;
  const { kind: _, toolName, args, callId, ...rest } = question;
  const toolCall = { name: toolName, args: { ...args }, ...(callId !== undefined && { id: callId }) };
  return { type: MessageBusType.TOOL_CONFIRMATION_REQUEST, correlationId, toolCall, ...rest };
}

export function responseFor(
  { id: correlationId, question: { kind } }: OpenQuestion,
  reply: Reply,
): ToolConfirmationResponse | AskUserResponse | undefined {
  if (kind === 'ask_user') {
    const { answers } =
      reply.status === 'answered' ? (reply.answer as { answers: Answers }) : { answers: {} };
    const isCancelled = reply.status !== 'answered';
    return {
      type: MessageBusType.ASK_USER_RESPONSE,
      correlationId,
      answers,
      ...(isCancelled && { cancelled: true }),
    };
  }
  if (kind !== 'tool_confirmation') return undefined;
  const common = { type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId } as const;
  if (reply.status === 'unanswerable') return { ...common, confirmed: false, requiresUserConfirmation: true };
  if (reply.status === 'withdrawn') return { ...common, confirmed: false };
  const answer = reply.answer as ToolConfirmationAnswer;
  return { ...common, confirmed: answer.outcome !== ToolConfirmationOutcome.Cancel, ...answer };
}

type Answers = Record<string, string>;

/** Undefined: the question was not answered. */
export function answerIn(message: ToolConfirmationResponse | AskUserResponse): Answer | undefined {
  if (message.type === MessageBusType.ASK_USER_RESPONSE)
    return message.cancelled ? undefined : { answers: message.answers };
  const { payload, digest } = message;
  return {
    outcome: outcomeOf(message),
    ...(payload && { payload }),
    ...(digest !== undefined && { digest }),
  };
}

/** Only an explicit confirmation runs a call; any other outcome is a refusal. */
function outcomeOf({ confirmed, outcome }: ToolConfirmationResponse): ToolConfirmationOutcome {
  if (!confirmed) return ToolConfirmationOutcome.Cancel;
  return outcome ?? ToolConfirmationOutcome.ProceedOnce;
}
