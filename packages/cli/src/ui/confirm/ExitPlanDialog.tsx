/** Asks about a finished plan: approve it, or say what is missing. */
import {
  ApprovalMode,
  messageOf,
  ToolConfirmationOutcome,
  type ToolConfirmationPayload,
  visibleText,
} from '@gemini-cli/core';
import { Text } from 'ink';
import { type ReactNode, useMemo, useState } from 'react';
import { DialogFrame } from '../components/DialogFrame.js';
import { keyName } from '../components/key-name.js';
import { Paragraph } from '../components/Paragraph.js';
import {
  RadioButtonSelect,
  type RadioButtonSelectProps,
  type RadioItem,
} from '../components/RadioButtonSelect.js';
import { useRoom } from '../components/Room.js';
import { TextField } from '../components/TextField.js';
import { useDialogKeys } from '../components/use-dialog-keys.js';
import { useLoaded } from '../components/use-loaded.js';
import { commandOf, isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import { markdownLines } from '../markdown/markdown.js';
import { useLook, useTheme } from '../use-look.js';
import { DetailsAndAnswer } from './DetailsAndAnswer.js';
import { type DetailsOf, noteOf, type ToolConfirmationMessageProps } from './props.js';

type PlanAnswer = 'auto' | 'manual' | 'feedback';
type View = 'choices' | 'feedback' | 'editor' | 'answered';

const { Cancel, ProceedOnce } = ToolConfirmationOutcome;
const CHOICES: readonly RadioItem<PlanAnswer>[] = [
  { value: 'auto', label: 'Yes, automatically accept edits' },
  { value: 'manual', label: 'Yes, manually accept edits' },
  { value: 'feedback', label: 'No, say what to change' },
];
const EDIT_KEYS = ['input.deprecatedOpenExternalEditor', 'input.openExternalEditor'] as const;

export function ExitPlanDialog(props: ToolConfirmationMessageProps<DetailsOf<'exit_plan_mode'>>) {
  const { confirmationDetails, onAnswer, readPlan = readFromDisk, openEditor } = props;
  const { planPath, systemMessage } = confirmationDetails;
  const plan = useLoaded(() => readPlan(planPath));
  const [view, setView] = useState<View>('choices');
  const [marked, setMarked] = useState<PlanAnswer>('auto');
  const [feedback, setFeedback] = useState('');
  const [editorProblem, setEditorProblem] = useState('');
  const answer = (outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload) => {
    setView('answered');
    onAnswer(outcome, payload);
  };
  const edit = async (open: (path: string) => Promise<void>) => {
    setView('editor');
    try {
      await open(planPath);
      setEditorProblem('');
      plan.reload();
    } catch (error) {
      setEditorProblem(messageOf(error));
    }
    setView('choices');
  };
  const select = (value: PlanAnswer) => {
    if (value === 'feedback') return setView('feedback');
    const approvalMode = value === 'auto' ? ApprovalMode.AUTO_EDIT : ApprovalMode.DEFAULT;
    return answer(ProceedOnce, { approved: true, approvalMode });
  };
  useDialogKeys({
    onKey: (key) => {
      if (view === 'answered' || view === 'editor') return false;
      if (isCommand(key, 'basic.cancel')) {
        if (view === 'feedback') setView('choices');
        else answer(Cancel);
      } else if (view === 'choices' && openEditor && commandOf(key, EDIT_KEYS)) void edit(openEditor);
      else return false;
      return true;
    },
  });
  const problem = plan.problem && `The plan cannot be read (${planPath}): ${plan.problem}`;
  return (
    <DialogFrame
      title="Action Required"
      note={noteOf(props, 'the plan is ready')}
      tone="warning"
      footer={{ hints: hintsFor(view, openEditor !== undefined) }}
    >
      <Plan message={systemMessage} text={plan.value} problem={editorProblem || problem}>
        {(onScrollKey) =>
          view === 'feedback' ? (
            <TextField
              label="> "
              placeholder="What should the plan do differently?"
              initial={feedback}
              onChange={setFeedback}
              onKey={onScrollKey}
              onSubmit={(text) => {
                if (text.trim()) answer(ProceedOnce, { approved: false, feedback: text.trim() });
              }}
            />
          ) : (
            <PlanChoices
              initial={marked}
              isActive={view === 'choices' && !plan.isLoading}
              onHighlight={setMarked}
              onKey={onScrollKey}
              onSelect={select}
            />
          )
        }
      </Plan>
    </DialogFrame>
  );
}

function hintsFor(view: View, canEdit: boolean): string[] {
  if (view === 'editor') return ['Save and close external editor'];
  if (view === 'feedback') return ['Enter to send', 'Esc to go back'];
  return [
    'Enter to select',
    'Esc to cancel',
    ...(canEdit ? [`${keyName(EDIT_KEYS[0])} to edit the plan`] : []),
  ];
}

interface PlanProps {
  message: string | undefined;
  /** Undefined while it is being read. */
  text: string | undefined;
  problem: string;
  children(onScrollKey: (key: Key) => boolean): ReactNode;
}

function Plan({ message, text, problem, children }: PlanProps) {
  const look = useLook();
  const { status } = useTheme();
  const lines = useMemo(
    () => (text === undefined ? [] : markdownLines(visibleText(text), look)),
    [text, look],
  );
  return (
    <DetailsAndAnswer
      above={
        <>
          {message ? <Paragraph text={visibleText(message)} /> : null}
          {problem !== '' && <Paragraph text={visibleText(problem)} color={status.error} />}
          {problem === '' && text === undefined && <Text>Reading the plan…</Text>}
        </>
      }
      lines={problem === '' ? lines : []}
    >
      {children}
    </DetailsAndAnswer>
  );
}

function PlanChoices(props: Omit<RadioButtonSelectProps<PlanAnswer>, 'items'>) {
  const { rows } = useRoom();
  const { text } = useTheme();
  return (
    <>
      <Paragraph text="Carry out this plan?" color={text.primary} bold />
      <RadioButtonSelect {...props} items={CHOICES} rows={Math.max(1, rows - 4)} />
    </>
  );
}

async function readFromDisk(path: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return readFile(path, 'utf8');
}
