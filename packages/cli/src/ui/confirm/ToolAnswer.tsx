/** The question and its answers, or the field for a refusal, or a note that the editor is open. */
import { type ConfirmationView, ToolConfirmationOutcome, visibleName } from '@gemini-cli/core';
import { Box } from 'ink';
import { useState } from 'react';
import { Paragraph, paragraphRows } from '../components/Paragraph.js';
import { RadioButtonSelect, type RadioItem } from '../components/RadioButtonSelect.js';
import { useRoom } from '../components/Room.js';
import { TextField } from '../components/TextField.js';
import { isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import { useTheme } from '../use-look.js';
import { isSessionAnswer } from './choices.js';
import type { ToolConfirmationMessageProps } from './props.js';
import { questionOf } from './question.js';

/** `full`: the details fill the box and nothing can be answered. `project`: the second page of "for this session". */
export type View = 'choices' | 'project' | 'full' | 'feedback' | 'editor' | 'answered';

export interface ToolAnswerProps extends Pick<ToolConfirmationMessageProps, 'onAnswer'> {
  view: View;
  details: ConfirmationView;
  choices: readonly RadioItem<ToolConfirmationOutcome>[];
  projectChoices: readonly RadioItem<number>[];
  onOpenProject(): void;
  onScrollKey(key: Key): boolean;
}

/** Rows reserved for the details. */
const DETAILS_ROWS = 2;
const ROOMY_ROWS = 16;

export function ToolAnswer(props: ToolAnswerProps) {
  const { view, details, choices, projectChoices, onScrollKey, onOpenProject, onAnswer } = props;
  const { width, rows } = useRoom();
  const { text } = useTheme();
  const [marked, setMarked] = useState(details.suggestedOutcome);
  const [feedback, setFeedback] = useState('');
  if (view === 'full') return null;
  if (view === 'editor')
    return (
      <Box paddingTop={1}>
        <Paragraph text="Save and close external editor" color={text.primary} bold />
      </Box>
    );
  if (view === 'feedback')
    return (
      <>
        <Paragraph text="No. What should be done instead?" color={text.primary} bold />
        <TextField
          label="> "
          placeholder="What should be done instead?"
          initial={feedback}
          onChange={setFeedback}
          onKey={onScrollKey}
          onSubmit={(said) =>
            onAnswer(ToolConfirmationOutcome.Cancel, said.trim() ? { feedback: said.trim() } : undefined)
          }
        />
      </>
    );
  const isProject = view === 'project';
  const question = isProject ? 'Always allow in this project?' : visibleName(questionOf(details));
  const gap = rows >= ROOMY_ROWS ? 1 : 0;
  const left = rows - DETAILS_ROWS - gap;
  // In very low windows the question is dropped: the answers say what is asked.
  const questionRows = rows < 3 ? 0 : Math.min(paragraphRows(question, width), Math.max(1, left - 1));
  return (
    <Box flexDirection="column" paddingTop={gap} flexShrink={0}>
      {questionRows > 0 && (
        <Box height={questionRows} overflowY="hidden" flexShrink={0}>
          <Paragraph text={question} color={text.primary} bold />
        </Box>
      )}
      {isProject ? (
        <RadioButtonSelect
          key="project"
          items={projectChoices}
          onSelect={(projectAnswer) =>
            onAnswer(ToolConfirmationOutcome.ProceedAlwaysAndSave, { projectAnswer })
          }
          onKey={onScrollKey}
          rows={Math.max(1, left - questionRows)}
        />
      ) : (
        <RadioButtonSelect
          key="choices"
          items={choices}
          initial={marked}
          onHighlight={setMarked}
          onSelect={onAnswer}
          onKey={(key, value) => {
            if (onScrollKey(key)) return true;
            const opens =
              projectChoices.length > 0 && isSessionAnswer(value) && isCommand(key, 'cursor.right');
            if (opens) onOpenProject();
            return opens;
          }}
          isActive={view === 'choices'}
          rows={Math.max(1, left - questionRows)}
        />
      )}
    </Box>
  );
}
