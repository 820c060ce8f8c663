import { makeBus } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { AskUserTool } from './ask-user.js';
import type { AskUserParams } from './questions.js';

const signal = new AbortController().signal;
const colour = {
  question: 'Which\\none?',
  header: 'Colour',
  options: [{ label: 'Red', description: 'warm' }, { label: 'Blue' }],
};
const name = { question: 'Name?', header: 'Name', type: 'text', placeholder: 'any' };

function build(questions: unknown, { decision = PolicyDecision.ASK_USER, interactive = true } = {}) {
  const tool = new AskUserTool({ isInteractive: () => interactive }, makeBus(decision));
  // The tool itself judges what it is sent.
  return tool.build({ questions } as AskUserParams);
}

async function answered(questions: unknown, answers?: Record<string, string>) {
  const invocation = build(questions);
  const details = await invocation.shouldConfirmExecute(signal);
  if (!details) throw new Error('The user was not asked.');
  await details.onConfirm(ToolConfirmationOutcome.ProceedOnce, answers && { answers });
  return invocation.execute({ abortSignal: signal });
}

describe('ask_user', () => {
  it('shows the questions as the screen wants them', async () => {
    expect(await build([colour, name]).shouldConfirmExecute(signal)).toMatchObject({
      type: 'ask_user',
      questions: [
        {
          question: 'Which\none?',
          header: 'Colour',
          options: [
            { label: 'Red', description: 'warm' },
            { label: 'Blue', description: '' },
          ],
        },
        { question: 'Name?', header: 'Name', type: 'text', placeholder: 'any' },
      ],
    });
  });

  it('returns the answers to the model and shows them to the user', async () => {
    expect(await answered([colour, name], { '0': 'Blue', '1': 'Ada', '7': 'stray' })).toEqual({
      llmContent: '{"answers":{"0":"Blue","1":"Ada"}}',
      returnDisplay: '**User answered:**\n- Colour → Blue\n- Name → Ada',
    });
  });

  it('reports that the user did not answer', async () => {
    const { llmContent, error } = await answered([name]);
    expect(llmContent).toBe('The user did not answer the questions.');
    expect(error).toBeUndefined();
  });

  it('asks although a rule allows the call, and fails where no user can answer', async () => {
    const allowed = build([name], { decision: PolicyDecision.ALLOW });
    expect(await allowed.shouldConfirmExecute(signal)).toMatchObject({ type: 'ask_user' });
    const alone = build([name], { decision: PolicyDecision.ALLOW, interactive: false });
    expect(await alone.shouldConfirmExecute(signal)).toBe(false);
    const { error } = await alone.execute({ abortSignal: signal });
    expect(error?.message).toBe('No user can answer here. Decide yourself.');
  });

  it.each([
    [undefined, "params must have required property 'questions'"],
    [[], 'params.questions must have at least 1 item'],
    [[name, name, name, name, name], 'params.questions must have at most 4 item'],
    [[{ ...name, question: ' ' }], 'params.questions[0].question must be non-empty'],
    [[name, { ...name, header: '' }], 'params.questions[1].header must be non-empty'],
    [[{ question: 'a', header: 'b' }], 'params.questions[0].options: a choice needs 2 to 4 options'],
    [[{ ...colour, options: [{ label: 'a' }, { label: ' ' }] }], 'options[1].label must be non-empty'],
    [[{ ...name, type: 'date' }], 'params.questions[0].type must be one of'],
  ])('refuses %j', (questions, problem) => {
    expect(() => build(questions)).toThrow(problem);
  });
});
