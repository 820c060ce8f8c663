import type { ToolConfirmationOutcome, ToolConfirmationPayload } from '@gemini-cli/core';
import { expect, it, vi } from 'vitest';
import { flawsOf, HOSTILE } from '../dialogs/open-dialog.test-helper.js';
import { key, typed } from '../testing/keys.test-helper.js';
import { renderWithProviders } from '../testing/render-with-providers.test-helper.js';
import { PLAN_DETAILS } from './details.test-helper.js';
import { ToolConfirmationMessage, type ToolConfirmationMessageProps } from './ToolConfirmationMessage.js';

const PLAN = '# The plan\n\n- first **this**\n- then that\n';

interface Setup extends Partial<ToolConfirmationMessageProps> {
  width?: number;
  height?: number;
}

async function ask({ width = 80, height = 24, ...props }: Setup = {}) {
  const answers: [ToolConfirmationOutcome, ToolConfirmationPayload | undefined][] = [];
  const screen = await renderWithProviders(
    <ToolConfirmationMessage
      confirmationDetails={PLAN_DETAILS}
      toolName="exit_plan_mode"
      onAnswer={(outcome, payload) => answers.push([outcome, payload])}
      readPlan={async () => PLAN}
      {...props}
    />,
    { uiState: { terminalWidth: width }, height },
  );
  const shows = (text: string) =>
    vi.waitFor(() => expect(screen.lastFrame()).toContain(text), { timeout: 20_000 });
  return { ...screen, answers, shows };
}

it('the plan is shown as Markdown with its choices', async () => {
  const { shows, lastFrame } = await ask();
  await shows('then that');
  expect(lastFrame()).not.toContain('**this**');
  expect(lastFrame()).toContain('1. Yes, automatically accept edits');
  expect(lastFrame()).toContain('2. Yes, manually accept edits');
});

it.each([
  ['1', 'autoEdit'],
  ['2', 'default'],
])('choice %s continues in mode %s', async (digit, approvalMode) => {
  const { press, answers } = await ask();
  await press(key(digit));
  expect(answers).toEqual([['proceed_once', { approved: true, approvalMode }]]);
});

it('feedback is sent as typed and is never empty', async () => {
  const { press, answers } = await ask();
  await press(key('3'), key('enter'));
  expect(answers).toEqual([]);
  await press(...typed('1 more step'), key('enter'));
  expect(answers).toEqual([['proceed_once', { approved: false, feedback: '1 more step' }]]);
});

it('Esc returns from the feedback to the same choice, then cancels', async () => {
  const { press, answers, lastFrame } = await ask();
  await press(key('3'), ...typed('more'), key('escape'));
  expect(answers).toEqual([]);
  expect(lastFrame()).toContain('● 3. No, say what to change');
  await press(key('enter'));
  expect(lastFrame()).toContain('> more');
  expect(lastFrame()).toContain('╰─ Enter to send · Esc to go back ─');
  expect(answers).toEqual([]);
  await press(key('escape'));
  await press(key('escape'));
  expect(answers).toEqual([['cancel', undefined]]);
});

it('Ctrl+X opens the plan in the editor, then shows the edited plan', async () => {
  let plan = PLAN;
  const opened: string[] = [];
  const { press, shows } = await ask({
    readPlan: async () => plan,
    openEditor: async (path) => {
      opened.push(path);
      plan = 'changed plan';
    },
  });
  await press(key('ctrl+x'));
  await shows('changed plan');
  expect(opened).toEqual(['/plans/p.md']);
});

it('a plan cannot be approved before it is shown', async () => {
  let arrive: (plan: string) => void = () => undefined;
  const { press, answers, shows } = await ask({
    readPlan: () => new Promise((resolve) => (arrive = resolve)),
  });
  await shows('Reading the plan…');
  await press(key('1'), key('enter'));
  expect(answers).toEqual([]);
  arrive(PLAN);
  await shows('then that');
  await press(key('2'));
  expect(answers).toEqual([['proceed_once', { approved: true, approvalMode: 'default' }]]);
});

it('an unreadable plan is reported with the reason', async () => {
  const { shows } = await ask({ readPlan: undefined });
  await shows('The plan cannot be read (/plans/p.md)');
});

it.each([
  [40, 10],
  [120, 24],
])('the plan fits %i columns and %i rows and scrolls to its end', async (width, height) => {
  const long = `${HOSTILE}\n\n${Array.from({ length: 200 }, (_, at) => `step ${at}\n`).join('\n')}\n${'x'.repeat(100_000)}`;
  const { shows, press, lastFrame } = await ask({ width, height, readPlan: async () => long });
  await shows('more lines, PageDown');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  await press(key('ctrl+end'));
  expect(lastFrame()).toContain('lines above, PageUp');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});

it.each([PLAN, undefined])('the selected choice stays visible in 20 columns and 5 rows: %j', async (plan) => {
  const errors = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const readPlan = plan === undefined ? undefined : async () => plan;
  const { shows, lastFrame } = await ask({ width: 20, height: 5, readPlan });
  await shows('more lines');
  expect(flawsOf(lastFrame(), 20, 5)).toEqual([]);
  expect(lastFrame()).toContain('● 1. Yes');
  expect(errors).not.toHaveBeenCalled();
});
