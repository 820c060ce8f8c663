/** A confirmation that a tool or program requests over the bus, as plain data with details to show. */
import { plainData } from '../base/plain-data.js';
import { visibleName, visibleWithHosts } from '../base/visible-text.js';
import { ToolConfirmationOutcome, type ToolConfirmationRequest } from '../protocol/confirmation.js';
import type { ConfirmationView, ToolConfirmationQuestion } from '../protocol/questions.js';
import { confirmationQuestion } from './bus-messages.js';

export function publishedQuestion(request: ToolConfirmationRequest): ToolConfirmationQuestion {
  const question = plainData(confirmationQuestion(request));
  return { ...question, details: question.details ?? plainDetails(question) };
}

/** A question without details cannot be shown and would block the queue. */
function plainDetails({ toolName, args }: ToolConfirmationQuestion): ConfirmationView {
  return {
    type: 'info',
    title: `Confirm: ${visibleName(toolName)}`,
    prompt: visibleWithHosts(JSON.stringify(args ?? {})),
    offeredOutcomes: [ToolConfirmationOutcome.ProceedOnce, ToolConfirmationOutcome.Cancel],
  };
}
