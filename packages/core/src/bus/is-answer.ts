/** Whether a value from a front end answers a question: it may come over a wire, so it is checked, not believed. */
import { ToolConfirmationOutcome } from '../protocol/confirmation.js';
import type { Answer, FallbackIntent, Question } from '../protocol/questions.js';

const OUTCOMES: ReadonlySet<unknown> = new Set(Object.values(ToolConfirmationOutcome));
const INTENTS: ReadonlySet<unknown> = new Set<FallbackIntent>([
  'retry_always',
  'retry_once',
  'retry_later',
  'retry_with_credits',
  'upgrade',
  'stop',
]);

export function isAnswerTo(question: Question, value: unknown): value is Answer {
  switch (question.kind) {
    case 'tool_confirmation': {
      const { outcome, digest, payload } = fieldsOf(value);
      // A front end that repeats the digest of what it showed answers only for that.
      const isForThis = digest === undefined || digest === question.digest;
      return isForThis && OUTCOMES.has(outcome) && (payload === undefined || isFields(payload));
    }
    case 'ask_user': {
      const { answers } = fieldsOf(value);
      return isFields(answers) && Object.values(answers).every((answer) => typeof answer === 'string');
    }
    case 'model_fallback':
      return INTENTS.has(value);
    case 'workspace_policies':
    case 'folder_trust':
      return typeof value === 'boolean';
  }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isFields(value) ? value : {};
}
