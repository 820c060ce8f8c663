/** A confirmation that a tool or program asks for over the bus: made plain data, and complete enough to be shown. */
import { plainData } from '../base/plain-data.js';
import { visibleName, visibleWithHosts } from '../base/visible-text.js';
import { ToolConfirmationOutcome, type ToolConfirmationRequest } from '../protocol/confirmation.js';
import type { ConfirmationView, ToolConfirmationQuestion } from '../protocol/questions.js';
import { confirmationQuestion } from './bus-messages.js';

export function publishedQuestion(request: ToolConfirmationRequest): ToolConfirmationQuestion {
  const question = plainData(confirmationQuestion(request));
  return { ...question, details: question.details ?? plainDetails(question) };
}

/** A front end cannot show a question without details, and those behind it would wait for ever. */
function plainDetails({ toolName, args }: ToolConfirmationQuestion): ConfirmationView {
  return {
    type: 'info',
    title: `Confirm: ${visibleName(toolName)}`,
    prompt: visibleWithHosts(JSON.stringify(args ?? {})),
    offeredOutcomes: [ToolConfirmationOutcome.ProceedOnce, ToolConfirmationOutcome.Cancel],
  };
}
