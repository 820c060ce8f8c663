/** The answer to a question that nobody answers. */
import {
  type AskUserResponse,
  MessageBusType,
  type ToolConfirmationResponse,
} from '../protocol/confirmation.js';
import type { Question } from './question-line.js';

export function withdrawn({ type, correlationId }: Question): ToolConfirmationResponse | AskUserResponse {
  return type === MessageBusType.TOOL_CONFIRMATION_REQUEST
    ? { type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId, confirmed: false }
    : { type: MessageBusType.ASK_USER_RESPONSE, correlationId, answers: {}, cancelled: true };
}

/** No front end is there, or none any more. */
export function unanswerable(question: Question): ToolConfirmationResponse | AskUserResponse {
  const response = withdrawn(question);
  return response.type === MessageBusType.TOOL_CONFIRMATION_RESPONSE
    ? { ...response, requiresUserConfirmation: true }
    : response;
}

/** A front end that repeats the digest of what it showed answers only for that. */
export function isAnswerTo(
  question: Question,
  response: ToolConfirmationResponse | AskUserResponse,
): boolean {
  if (question.type === MessageBusType.ASK_USER_REQUEST)
    return response.type === MessageBusType.ASK_USER_RESPONSE;
  if (response.type !== MessageBusType.TOOL_CONFIRMATION_RESPONSE) return false;
  return response.digest === undefined || response.digest === question.digest;
}
