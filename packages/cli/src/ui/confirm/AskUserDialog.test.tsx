import type { ToolConfirmationOutcome, ToolConfirmationPayload } from '@gemini-cli/core';
import { describe, expect, it, vi } from 'vitest';
import { flawsOf, HOSTILE } from '../dialogs/open-dialog.test-helper.js';
import { key, pasted, typed } from '../testing/keys.test-helper.js';
import { renderWithProviders } from '../testing/render-with-providers.test-helper.js';
import type { Question } from './ask-user-state.js';
import { ToolConfirmationMessage } from './ToolConfirmationMessage.js';

const COLOR: Question = {
  question: 'Which colour do you want?',
  header: 'Colour',
  options: [
    { label: 'Red', description: 'like fire' },
    { label: 'Blue', description: 'like the sky' },
  ],
};
const PARTS: Question = { ...COLOR, question: 'Which parts?', header: 'Parts', multiSelect: true };
const NAME: Question = {
  question: 'What is its name?',
  header: 'Name',
  type: 'text',
  placeholder: 'e.g. app',
};
const SURE: Question = { question: 'Are you sure?', header: 'Sure', type: 'yesno' };

interface Asked {
  width?: number;
  height?: number;
  screenReader?: boolean;
  asker?: 'program';
}

async function ask(
  questions: Question[],
  { width = 80, height = 24, screenReader = false, asker }: Asked = {},
) {
  const answers: [ToolConfirmationOutcome, ToolConfirmationPayload | undefined][] = [];
  const details = {
    type: 'ask_user' as const,
    title: 'Questions',
    questions,
    asker,
    onConfirm: async () => {},
  };
  const screen = await renderWithProviders(
    <ToolConfirmationMessage
      confirmationDetails={details}
      toolName="ask_user"
      onAnswer={(outcome, payload) => answers.push([outcome, payload])}
    />,
    { uiState: { terminalWidth: width, screenReader }, height },
  );
  return { ...screen, answers };
}

describe('One question', () => {
  it('says whether the model or the program asks', async () => {
    const model = await ask([SURE]);
    expect(model.lastFrame()).toContain('Question from the model');
    const program = await ask([{ ...SURE, header: 'Sign in' }], { asker: 'program' });
    expect(program.lastFrame()).toContain('─ Sign in ─');
    expect(program.lastFrame()).not.toContain('the model');
  });

  it('offers no answer of the own words where only the options mean something', async () => {
    const open = await ask([SURE], { asker: 'program' });
    expect(open.lastFrame()).toContain('Type your own answer');
    const closed = await ask([{ ...SURE, isClosed: true }], { asker: 'program' });
    expect(closed.lastFrame()).not.toContain('Type your own answer');
    await closed.press(key('up'), key('enter'));
    expect(closed.answers).toEqual([['proceed_once', { answers: { '0': 'No' } }]]);
  });

  it('is answered by a digit', async () => {
    const { press, answers, lastFrame } = await ask([COLOR]);
    expect(lastFrame()).toContain('Which colour do you want?');
    expect(lastFrame()).toContain('like the sky');
    await press(key('2'));
    expect(answers).toEqual([['proceed_once', { answers: { '0': 'Blue' } }]]);
  });

  it("takes the user's own words, digits included", async () => {
    const { press, answers } = await ask([COLOR]);
    await press(key('up'), ...typed('no 12 j'), pasted('!'), key('enter'));
    expect(answers).toEqual([['proceed_once', { answers: { '0': 'no 12 j!' } }]]);
  });

  it("keeps the user's own answer while they look at the options", async () => {
    const { press, answers, lastFrame } = await ask([COLOR, SURE]);
    await press(key('up'), ...typed('green'), key('up'), key('tab'), key('shift+tab'));
    expect(lastFrame()).toContain('3. green');
    expect(lastFrame()).toContain('● 2. Blue');
    await press(key('down'), ...typed('ish'), key('enter'), key('tab'), key('enter'));
    expect(answers).toEqual([['proceed_once', { answers: { '0': 'greenish' } }]]);
  });

  it('is not answered by an empty text', async () => {
    const { press, answers } = await ask([NAME]);
    await press(key('enter'));
    expect(answers).toEqual([]);
    await press(...typed('x'), key('enter'));
    expect(answers).toEqual([['proceed_once', { answers: { '0': 'x' } }]]);
  });

  it('takes yes or no', async () => {
    const { press, answers } = await ask([SURE]);
    await press(key('enter'));
    expect(answers).toEqual([['proceed_once', { answers: { '0': 'Yes' } }]]);
  });

  it('takes several ticks, then Done', async () => {
    const { press, answers, lastFrame } = await ask([PARTS]);
    await press(key('1'), key('down'), key('space'));
    expect(lastFrame()).toContain('[x] Red');
    expect(lastFrame()).toContain('[x] Blue');
    expect(lastFrame()).toContain('[x] All of the above');
    expect(answers).toEqual([]);
    await press(key('2'), key('5'));
    expect(answers).toEqual([['proceed_once', { answers: { '0': 'Red' } }]]);
  });

  it('can tick all at once and needs at least one tick', async () => {
    const { press, answers } = await ask([PARTS]);
    await press(key('5'));
    expect(answers).toEqual([]);
    await press(key('3'), key('5'));
    expect(answers).toEqual([['proceed_once', { answers: { '0': 'Red, Blue' } }]]);
  });

  it('is dismissed by Esc, and ignores stray letters', async () => {
    const { press, answers } = await ask([COLOR]);
    await press(...typed('xyz'));
    expect(answers).toEqual([]);
    await press(key('escape'));
    expect(answers).toEqual([['cancel', undefined]]);
  });
});

describe('Several questions', () => {
  it('are tabs with a page to review the answers', async () => {
    const { press, answers, lastFrame } = await ask([COLOR, NAME, SURE]);
    expect(lastFrame()).toContain('[Colour]');
    await press(key('1'));
    expect(lastFrame()).toContain('✓ Colour');
    expect(lastFrame()).toContain('What is its name?');
    await press(...typed('app'), key('enter'), key('2'));
    expect(lastFrame()).toContain('Colour → Red');
    expect(lastFrame()).toContain('Name → app');
    expect(lastFrame()).toContain('Sure → No');
    await press(key('enter'));
    expect(answers).toEqual([['proceed_once', { answers: { '0': 'Red', '1': 'app', '2': 'No' } }]]);
  });

  it('can be skipped and changed', async () => {
    const { press, answers, lastFrame } = await ask([COLOR, SURE]);
    await press(key('tab'), key('1'));
    expect(lastFrame()).toContain('Colour → not answered');
    await press(key('shift+tab'), key('2'), key('enter'));
    expect(answers).toEqual([['proceed_once', { answers: { '1': 'No' } }]]);
  });
});

it.each([
  [20, 5],
  [40, 10],
  [80, 10],
  [120, 24],
])('the questions fit %i columns and %i rows, whatever is asked', async (width, height) => {
  const hostile: Question = {
    question: `${HOSTILE} ${'long '.repeat(500)}`,
    header: HOSTILE,
    options: [COLOR, COLOR, COLOR, COLOR].map(() => ({ label: HOSTILE, description: 'x'.repeat(10_000) })),
    placeholder: HOSTILE,
  };
  const errors = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const { press, lastFrame } = await ask([hostile, PARTS], { width, height });
  for (let page = 0; page < 3; page++) {
    expect(flawsOf(lastFrame(), width, height)).toEqual([]);
    expect(lastFrame()).toMatch(page < 2 ? /● 1\./ : 'Enter to send them');
    await press(key('down'), key('tab'));
  }
  expect(errors).not.toHaveBeenCalled();
});

it('a screen reader gets only words', async () => {
  const { lastFrame, press } = await ask([PARTS, NAME], { screenReader: true });
  expect(lastFrame()).not.toMatch(/[╭╮│╰╯●✓]/);
  expect(lastFrame()).toContain('Tab 1 of 3: Parts');
  expect(lastFrame()).toContain('1. not ticked: Red, selected');
  await press(key('tab'));
  expect(lastFrame()).toMatch(/1\. selected: \S/);
});
