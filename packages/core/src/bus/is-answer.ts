/** Checks whether a value from a front end answers a question: it may come over a wire, so it is not trusted. */
import { isObject, objectOf } from '../base/objects.js';
import { ApprovalMode, ToolConfirmationOutcome } from '../protocol/confirmation.js';
import { type Answer, FALLBACK_INTENTS, type Question } from '../protocol/questions.js';

const OUTCOMES: ReadonlySet<unknown> = new Set(Object.values(ToolConfirmationOutcome));
const MODES: ReadonlySet<unknown> = new Set(Object.values(ApprovalMode));
const INTENTS: ReadonlySet<unknown> = new Set(FALLBACK_INTENTS);

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
    case 'account_problem':
      return value === 'retry' || value === 'stop';
    case 'admin_changed':
    case 'workspace_policies':
    case 'project_agents':
    case 'folder_trust':
      return typeof value === 'boolean';
    case 'mcp_elicitation': {
      const { action, content } = objectOf(value);
      return isElicitationAction(action) && (content === undefined || isObject(content));
    }
  }
}

/** Whether the content fits the form is checked where the server gets it. */
function isElicitationAction(action: unknown): boolean {
  return action === 'accept' || action === 'decline' || action === 'cancel';
}

function isPayload(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { newContent, args, feedback, answers, approved, approvalMode, projectAnswer } = value;
  return (
    isOptional('string', newContent) &&
    (args === undefined || isObject(args)) &&
    isOptional('string', feedback) &&
    isOptional('boolean', approved) &&
    isOptional('number', projectAnswer) &&
    (answers === undefined || isTexts(answers)) &&
    (approvalMode === undefined || MODES.has(approvalMode))
  );
}

function isOptional(type: 'string' | 'boolean' | 'number', value: unknown): boolean {
  return value === undefined || typeof value === type;
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}
