/** Asks what to rewind to before a prompt: the conversation, the files, or both. */
import type { RewindTurn, RewindWhat } from '@gemini-cli/core';
import { ErrorText } from '../../components/ErrorText.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import type { RadioItem } from '../../components/RadioButtonSelect.js';
import { useAction } from '../../components/use-action.js';
import { turnDetail, turnLabel } from './turn-text.js';

export interface RewindQuestionProps {
  turn: RewindTurn;
  onRewind(what: RewindWhat): Promise<void>;
  onPreview(): Promise<void>;
  onBack(): void;
  onClose(): void;
}

type Answer = RewindWhat | 'preview' | 'cancel';

export function RewindQuestion({ turn, onRewind, onPreview, onBack, onClose }: RewindQuestionProps) {
  const action = useAction();
  return (
    <Question<Answer>
      title="Rewind"
      footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to go back' }}
      items={turn.canRevert ? WITH_FILES : CONVERSATION_ONLY}
      isActive={!action.isRunning}
      onSelect={(answer) => {
        if (answer === 'cancel') onClose();
        else action.run(() => (answer === 'preview' ? onPreview() : onRewind(answer)));
      }}
      onCancel={onBack}
    >
      <ErrorText text={action.problem} />
      <Paragraph text={`Back to before: ${turnLabel(turn)}`} />
      <Paragraph text={turnDetail(turn)} />
    </Question>
  );
}

const CONVERSATION: RadioItem<Answer> = { value: 'conversation', label: 'Rewind conversation' };
const CANCEL: RadioItem<Answer> = { value: 'cancel', label: 'Cancel' };
const CONVERSATION_ONLY = [CONVERSATION, CANCEL];
const WITH_FILES: readonly RadioItem<Answer>[] = [
  { value: 'both', label: 'Rewind conversation and revert code changes' },
  CONVERSATION,
  { value: 'files', label: 'Revert code changes' },
  { value: 'preview', label: 'Preview changes' },
  CANCEL,
];
