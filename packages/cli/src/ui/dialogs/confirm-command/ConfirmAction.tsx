/** Asks before a slash command continues. Closes with true for yes. */
import type { ReactNode } from 'react';
import { Prose } from '../../components/Prose.js';
import { Question } from '../../components/Question.js';
import type { DialogProps } from '../dialog.js';

export interface ConfirmActionProps {
  /** Text, or an element that the command has made. */
  prompt: ReactNode;
}

const ITEMS = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No (esc)' },
];

export function ConfirmActionDialog({ props, close }: DialogProps<ConfirmActionProps, boolean>) {
  return (
    <Question title="Are you sure?" items={ITEMS} onSelect={close} onCancel={() => close(false)}>
      <Prose>{props.prompt}</Prose>
    </Question>
  );
}
