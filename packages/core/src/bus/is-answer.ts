/** Checks whether a value from a front end answers a question: it may come over a wire, so it is not trusted. */
import { isObject, objectOf } from '../base/objects.js';
import { ApprovalMode, ToolConfirmationOutcome } from '../protocol/confirmation.js';
import type { Answer, FallbackIntent, Question } from '../protocol/questions.js';

const OUTCOMES: ReadonlySet<unknown> = new Set(Object.values(ToolConfirmationOutcome));
const MODES: ReadonlySet<unknown> = new Set(Object.values(ApprovalMode));
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
      const { outcome, digest, payload } = objectOf(value);
      // A front end that repeats the digest answers only for the call it showed.
      const isForThis = digest === undefined || digest === question.digest;
      return isForThis && OUTCOMES.has(outcome) && (payload === undefined || isPayload(payload));
    }
    case 'ask_user': {
      const { answers } = objectOf(value);
      return isTexts(answers);
    }
    case 'model_fallback':
      return INTENTS.has(value);
    case 'workspace_policies':
    case 'folder_trust':
      return typeof value === 'boolean';
  }
}

function isPayload(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { newContent, feedback, answers, approved, approvalMode } = value;
  return (
    isOptional('string', newContent) &&
    isOptional('string', feedback) &&
    isOptional('boolean', approved) &&
    (answers === undefined || isTexts(answers)) &&
    (approvalMode === undefined || MODES.has(approvalMode))
  );
}

function isOptional(type: 'string' | 'boolean', value: unknown): boolean {
  return value === undefined || typeof value === type;
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}
