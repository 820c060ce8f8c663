/** The model's questions to the user: one tab each, then a page to review the answers. */
import { ToolConfirmationOutcome, visibleName } from '@gemini-cli/core';
import { Box } from 'ink';
import { useState } from 'react';
import { DialogFrame } from '../components/DialogFrame.js';
import { Room, useRoom } from '../components/Room.js';
import { Tabs } from '../components/Tabs.js';
import { useDialogKeys } from '../components/use-dialog-keys.js';
import { isCommand } from '../keys/bindings.js';
import { cutText } from '../text/columns.js';
import { AskUserPage, type AskUserPageProps } from './AskUserPage.js';
import { answersOf, askKey, emptyAnswers, ticks, withOwn } from './ask-user-state.js';
import { type DetailsOf, noteOf, type ToolConfirmationMessageProps } from './props.js';

const { Cancel, ProceedOnce } = ToolConfirmationOutcome;

export function AskUserDialog(props: ToolConfirmationMessageProps<DetailsOf<'ask_user'>>) {
  const { questions, systemMessage, asker } = props.confirmationDetails;
  const [state, setState] = useState(() => emptyAnswers(questions));
  const [isOver, setIsOver] = useState(false);
  const answer: typeof props.onAnswer = (...given) => {
    setIsOver(true);
    props.onAnswer(...given);
  };
  useDialogKeys({
    onKey: (key) => {
      if (isOver) return false;
      const isCancel = isCommand(key, 'basic.cancel');
      const next = isCancel ? undefined : askKey(state, key, questions);
      if (isCancel) answer(Cancel);
      if (next) setState(next.state);
      if (next?.isDone) answer(ProceedOnce, { answers: answersOf(next.state, questions) });
      return isCancel || next !== undefined;
    },
    takesText: (event) => ticks(state, event, questions),
  });
  const hints = questions.length > 1 ? ['Tab for the next question'] : [];
  return (
    <DialogFrame
      title={asker === 'program' ? (questions[0]?.header ?? '') : 'Question from the model'}
      note={noteOf(props)}
      tone="warning"
      footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to cancel', hints }}
    >
      <AskUserPages
        questions={questions}
        systemMessage={systemMessage}
        state={state}
        isActive={!isOver}
        onType={(own) => setState((now) => withOwn(now, own))}
      />
    </DialogFrame>
  );
}

function AskUserPages(props: AskUserPageProps) {
  const { questions, state } = props;
  const { rows } = useRoom();
  if (questions.length < 2) return <AskUserPage {...props} />;
  const gap = rows < TIGHT_ROWS ? 0 : 1;
  const tabs = questions.map(({ header }, at) => ({
    label: cutText(visibleName(header), LONGEST_TAB),
    done: state.given[at]?.isDone ?? false,
  }));
  return (
    <>
      <Box paddingBottom={gap} flexShrink={0}>
        <Tabs tabs={[...tabs, { label: 'Review' }]} index={state.page} />
      </Box>
      <Room rows={rows - 1 - gap}>
        <AskUserPage key={state.page} {...props} />
      </Room>
    </>
  );
}

const LONGEST_TAB = 16;
const TIGHT_ROWS = 6;
