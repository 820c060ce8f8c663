import { Box, Text } from 'ink';
import { expect, it } from 'vitest';
import { CommandKind, type SlashCommand } from '../../../commands/types.js';
import { DialogFrame } from '../../components/DialogFrame.js';
import { key } from '../../testing/keys.test-helper.js';
import { CustomDialog } from '../custom/CustomDialog.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import { ConfirmActionDialog } from './ConfirmAction.js';

/** A command whose confirmation is JSX. */
const dangerousCommand: SlashCommand = {
  name: 'dangerous',
  description: 'Does something dangerous',
  kind: CommandKind.BUILT_IN,
  autoExecute: true,
  action: async (context, args) => {
    if (!context.overwriteConfirmed) {
      return {
        type: 'confirm_action',
        prompt: <Text>Are you sure you want to do this?</Text>,
        originalInvocation: { raw: `/dangerous ${args}` },
      };
    }
    return undefined;
  },
};

it('shows a prompt that a command has written as JSX', async () => {
  const { testContext } = await import('../../../commands/testing/context.test-helper.js');
  const result = await dangerousCommand.action?.(testContext(), 'x');
  if (result?.type !== 'confirm_action') throw new Error('The command does not ask.');
  const { lastFrame, press, closed } = await openDialog(ConfirmActionDialog, { props: result });
  expect(lastFrame()).toMatch(/╭─ Are you sure\? ─+╮\n│ Are you sure you want to do this\? +│\n│ ● 1\. Yes/);
  await press(key('enter'));
  expect(closed).toEqual([true]);
});

it('shows text as a paragraph, without what commands a terminal, and Esc means no', async () => {
  const prompt = `${HOSTILE} ${'long '.repeat(400)}`;
  const { lastFrame, press, closed } = await openDialog(ConfirmActionDialog, {
    props: { prompt },
    width: 40,
    height: 10,
  });
  expect(flawsOf(lastFrame(), 40, 10)).toEqual([]);
  expect(lastFrame()).toContain('2. No (esc)');
  await press(key('escape'));
  expect(closed).toEqual([false]);
});

it('offers a third answer between yes and no when the command can remember it', async () => {
  const props = { prompt: 'Use them?', remember: { label: 'Yes, and remember' } };
  const { lastFrame, press, closed } = await openDialog(ConfirmActionDialog, { props });
  expect(lastFrame()).toMatch(/1\. Yes .*\n.*2\. Yes, and remember .*\n.*3\. No \(esc\)/);
  await press(key('2'));
  expect(closed).toEqual(['remember']);
});

it('draws the differences in files with line numbers, as everywhere else', async () => {
  const diff = '--- a.ts\n+++ a.ts\n@@ -41 +41 @@\n-const a = 2;\n+const a = 1;\n';
  const files = {
    steps: [{ path: '/project/a.ts', action: 'restore', status: 'ready', diff }] as const,
    question: 'Restore these files and the conversation?',
  };
  const { lastFrame, press, closed } = await openDialog(ConfirmActionDialog, {
    props: { prompt: 'not shown', files },
  });
  expect(lastFrame()).toContain('a.ts will be restored');
  expect(lastFrame()).toMatch(/│ 41 - const a = 2; +│\n│ 41 \+ const a = 1; +│\n│ Restore these files and/);
  expect(lastFrame()).not.toContain('not shown');
  await press(key('enter'));
  expect(closed).toEqual([true]);
});

it.each([
  [5, '│ 5'],
  [['one', <Text key="two">two</Text>], '│ one'],
  [null, '│ ● 1. Yes'],
])('shows %j, which is a prompt as well', async (prompt, row) => {
  const { lastFrame, press, closed } = await openDialog(ConfirmActionDialog, { props: { prompt } });
  expect(lastFrame()).toContain(row);
  await press(key('enter'));
  expect(closed).toEqual([true]);
});

it('opens a component of a command, in the room there is, until Esc', async () => {
  const component = (
    <DialogFrame title="Mine">
      <Box flexDirection="column">
        <Text>Own words</Text>
      </Box>
    </DialogFrame>
  );
  const text = await openDialog(CustomDialog, { props: { component: 'Only words' } });
  expect(text.lastFrame()).toBe('Only words');
  const { lastFrame, press, closed } = await openDialog(CustomDialog, { props: { component }, height: 8 });
  expect(lastFrame()).toMatch(/╭─ Mine ─+╮\n│ Own words +│/);
  await press(key('escape'));
  expect(closed).toEqual([undefined]);
});
