/** Arguments of `ask_user`, checked and prepared for the screen. */
import type { UserQuestion } from '../../protocol/confirmation.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';

type AskedQuestion = Omit<UserQuestion, 'options'> & {
  options?: { label: string; description?: string }[];
};

export interface AskUserParams {
  questions: AskedQuestion[];
}

const FEWEST_OPTIONS = 2;
const MAX_OPTIONS = 4;

export const ASK_USER_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    questions: {
      type: 'array',
      minItems: 1,
      maxItems: 4,
      items: {
        type: 'object',
        properties: {
          question: { type: 'string' },
          header: { type: 'string' },
          type: { type: 'string', enum: ['choice', 'text', 'yesno'] },
          options: {
            type: 'array',
            items: {
              type: 'object',
              properties: { label: { type: 'string' }, description: { type: 'string' } },
              required: ['label'],
            },
          },
          multiSelect: { type: 'boolean' },
          placeholder: { type: 'string' },
        },
        required: ['question', 'header'],
      },
    },
  },
  required: ['questions'],
  additionalProperties: false,
};

/** Null when the questions are valid. */
export function questionProblem({ questions }: AskUserParams): string | null {
  for (const [at, { question, header, type = 'choice', options = [] }] of questions.entries()) {
    const path = `params.questions[${at}]`;
    if (question.trim() === '') return `${path}.question must be non-empty`;
    if (header.trim() === '') return `${path}.header must be non-empty`;
    if (type !== 'choice') continue;
    if (options.length < FEWEST_OPTIONS || options.length > MAX_OPTIONS)
      return `${path}.options: a choice needs ${FEWEST_OPTIONS} to ${MAX_OPTIONS} options; use the type "text" for an open question`;
    const blank = options.findIndex(({ label }) => label.trim() === '');
    if (blank !== -1) return `${path}.options[${blank}].label must be non-empty`;
  }
  return null;
}

export function shownQuestions({ questions }: AskUserParams): UserQuestion[] {
  return questions.map(({ question, header, options, placeholder, ...rest }) => ({
    ...rest,
    question: withLineBreaks(question),
    header,
    ...(options && {
      options: options.map(({ label, description = '' }) => ({
        label,
        description: withLineBreaks(description),
      })),
    }),
    ...(placeholder !== undefined && { placeholder }),
  }));
}

/** Models sometimes escape line breaks in JSON twice. */
function withLineBreaks(text: string): string {
  return text.replaceAll('\\n', '\n');
}
