/** Questions of the model to the user: one tab each, then a page to look over the answers. */
import { ToolConfirmationOutcome } from '@gemini-cli/core';
import { isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import { Frame } from '../primitives/Frame.js';
import { innerHeight, innerWidth } from '../primitives/frame-lines.js';
import { tabLine } from '../primitives/tabs.js';
import { useDialogInput } from '../primitives/use-dialog-input.js';
import { useLiveState } from '../primitives/use-live-state.js';
import { useLook } from '../use-look.js';
import { pageLines } from './ask-user-page.js';
import {
  type AskState,
  answersOf,
  askKey,
  emptyAnswers,
  isAnswered,
  pasteInto,
  takesText,
} from './ask-user-state.js';
import type { AskUserDetails, ConfirmationProps } from './request.js';

export interface AskUserProps extends Pick<ConfirmationProps, 'index' | 'total' | 'height' | 'onAnswer'> {
  details: AskUserDetails;
}

export function AskUser({ details, index, total, height, onAnswer }: AskUserProps) {
  const look = useLook();
  const { questions } = details;
  const state = useLiveState<AskState>(() => emptyAnswers(questions));
  const isOver = useLiveState(false);
  const answer = (...given: Parameters<typeof onAnswer>) => {
    isOver.set(true);
    onAnswer(...given);
  };
  const onKey = (key: Key): boolean => {
    if (isOver.now) return false;
    if (isCommand(key, 'basic.cancel')) {
      answer(ToolConfirmationOutcome.Cancel);
      return true;
    }
    const next = askKey(state.now, key, questions);
    if (!next) return false;
    state.set(next.state);
    if (next.isDone)
      answer(ToolConfirmationOutcome.ProceedOnce, { answers: answersOf(next.state, questions) });
    return true;
  };
  useDialogInput({
    onKey,
    onPaste: (text) => state.set(pasteInto(state.now, text, questions)),
    takesText: (event) => takesText(state.now, event, questions),
  });

  const width = innerWidth(look);
  const rows = innerHeight(look, height);
  const tabs = [
    ...questions.map(({ header }, at) => ({ label: header.slice(0, 16), done: isAnswered(state.now, at) })),
    ...(questions.length > 1 ? [{ label: 'Review' }] : []),
  ];
  const head = tabs.length > 1 ? [tabLine(look, tabs, state.now.page, width), ''] : [];
  const page = pageLines(look, state.now, details, { width, rows: rows - head.length });
  return (
    <Frame
      title="Action Required"
      note={total > 1 ? `${index + 1} of ${total}` : 'the model asks'}
      hint={['Enter to select', ...(tabs.length > 1 ? ['Tab for the next question'] : []), 'Esc to cancel']}
      tone="warning"
      lines={[...head, ...page.lines]}
      height={height}
      caret={page.caret && { ...page.caret, row: page.caret.row + head.length }}
    />
  );
}
