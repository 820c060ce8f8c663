import type { ToolConfirmationOutcome, ToolConfirmationPayload } from '@gemini-cli/core';
import { expect, it, vi } from 'vitest';
import { flawsOf, HOSTILE } from '../dialogs/open-dialog.test-helper.js';
import { key, typed } from '../primitives/keys.test-helper.js';
import { renderWithProviders } from '../testing/render-with-providers.js';
import { Confirmation, type ConfirmationProps } from './Confirmation.js';
import { PLAN_DETAILS } from './details.test-helper.js';

const PLAN = '# The plan\n\n- first **this**\n- then that\n';

async function ask({ width = 80, ...props }: Partial<ConfirmationProps> & { width?: number } = {}) {
  const answers: [ToolConfirmationOutcome, ToolConfirmationPayload | undefined][] = [];
  const screen = await renderWithProviders(
    <Confirmation
      request={{ details: PLAN_DETAILS, toolName: 'exit_plan_mode' }}
      index={0}
      total={1}
      height={24}
      onAnswer={(outcome, payload) => answers.push([outcome, payload])}
      readPlan={async () => PLAN}
      {...props}
    />,
    { uiState: { terminalWidth: width } },
  );
  const shows = (text: string) =>
    vi.waitFor(() => expect(screen.lastFrame()).toContain(text), { timeout: 20_000 });
  return { ...screen, answers, shows };
}

it('shows the plan drawn, with its choices', async () => {
  const { shows, lastFrame } = await ask();
  await shows('then that');
  expect(lastFrame()).not.toContain('**this**');
  expect(lastFrame()).toContain('1. Yes, automatically accept edits');
  expect(lastFrame()).toContain('2. Yes, manually accept edits');
});

it.each([
  ['1', 'autoEdit'],
  ['2', 'default'],
])('choice %s goes on in mode %s', async (digit, approvalMode) => {
  const { press, answers } = await ask();
  await press(key(digit));
  expect(answers).toEqual([['proceed_once', { approved: true, approvalMode }]]);
});

it('feedback is sent as it is typed, and not without a word', async () => {
  const { press, answers } = await ask();
  await press(key('3'), key('enter'));
  expect(answers).toEqual([]);
  await press(...typed('1 more step'), key('enter'));
  expect(answers).toEqual([['proceed_once', { approved: false, feedback: '1 more step' }]]);
});

it('Esc leaves feedback, then cancels', async () => {
  const { press, answers } = await ask();
  await press(key('3'), key('escape'));
  expect(answers).toEqual([]);
  await press(key('escape'));
  expect(answers).toEqual([['cancel', undefined]]);
});

it('Ctrl+X edits the plan and shows it anew', async () => {
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

it('says why a plan cannot be read', async () => {
  const { shows } = await ask({ readPlan: undefined });
  await shows('The plan cannot be read (/plans/p.md)');
});

it.each([
  [40, 10],
  [120, 24],
])('fits %i columns and %i rows and scrolls to the end', async (width, height) => {
  const long = `${HOSTILE}\n\n${Array.from({ length: 200 }, (_, at) => `step ${at}\n`).join('\n')}\n${'x'.repeat(100_000)}`;
  const { shows, press, lastFrame } = await ask({ width, height, readPlan: async () => long });
  await shows('more lines, PageDown');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  await press(key('ctrl+end'));
  expect(lastFrame()).toContain('lines above, PageUp');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});
