import { expect, it } from 'vitest';
import { ToolConfirmationOutcome, type ToolEditConfirmationDetails } from '../../protocol/confirmation.js';
import { EditorAnswer, type EditorDiff } from './editor-diff.js';

const { ProceedOnce, ProceedAlways, Cancel, ModifyWithEditor } = ToolConfirmationOutcome;
const DETAILS: ToolEditConfirmationDetails = {
  type: 'edit',
  title: 'Edit',
  fileName: 'a',
  filePath: '/a',
  fileDiff: '',
  originalContent: 'one\n',
  newContent: 'two\n',
  onConfirm: async () => undefined,
};
const answered = (outcome: ToolConfirmationOutcome, payload?: { newContent?: string }) => ({
  status: 'answered' as const,
  answer: { outcome, ...(payload && { payload }) },
});

/** @param shown what the diff shows when it is closed */
function editorWith(shown: string | undefined, answer: EditorDiff['answer'] = new Promise(() => undefined)) {
  let closed = 0;
  const diff = {
    answer,
    close: async () => {
      closed++;
      return shown;
    },
  };
  const editor = new EditorAnswer(DETAILS, () => diff);
  return { editor, answer: editor.open(), closed: () => closed };
}

it.each([ProceedOnce, ProceedAlways])('%s in the terminal takes what the diff shows', async (outcome) => {
  const { editor, closed } = editorWith('changed\n');
  expect(await editor.settle(answered(outcome))).toEqual(answered(outcome, { newContent: 'changed\n' }));
  expect(closed()).toBe(1);
});

it.each([
  ['a refusal', 'changed\n', answered(Cancel)],
  ['a change in another editor', 'changed\n', answered(ModifyWithEditor, { newContent: 'mine' })],
  ['content given in the terminal', 'changed\n', answered(ProceedOnce, { newContent: 'mine' })],
  ['a diff that shows the proposal', 'two\r\n', answered(ProceedOnce)],
  ['an editor that cannot say', undefined, answered(ProceedOnce)],
  ['a withdrawn question', 'changed\n', { status: 'withdrawn' as const }],
])('nothing is taken from the diff with %s, and it is closed', async (_what, shown, reply) => {
  const { editor, closed } = editorWith(shown);
  expect(await editor.settle(reply)).toEqual(reply);
  expect(closed()).toBe(1);
});

it('the answer of the editor has the content that was accepted there', async () => {
  const accepted = Promise.resolve({ status: 'accepted' as const, content: 'changed\n' });
  const { editor, answer, closed } = editorWith(undefined, accepted);
  const given = await answer;
  expect(given).toEqual({ outcome: ProceedOnce, payload: { newContent: 'changed\n' } });
  expect(await editor.settle({ status: 'answered', answer: given })).toEqual({
    status: 'answered',
    answer: given,
  });
  // The editor has closed it.
  expect(closed()).toBe(0);
});

it('an editor that rejects refuses the call', async () => {
  const { answer } = editorWith(undefined, Promise.resolve({ status: 'rejected' as const }));
  expect(await answer).toEqual({ outcome: Cancel });
});

it('an editor that shows no diffs never answers', async () => {
  const editor = new EditorAnswer(DETAILS, () => undefined);
  void editor.open();
  expect(await editor.settle(answered(ProceedOnce))).toEqual(answered(ProceedOnce));
});
