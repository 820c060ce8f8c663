/** A slash command asks before it goes on. Closed with true for yes. */
import type { ReactNode } from 'react';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { cleanText } from '../../text/clean.js';
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
  const { prompt } = props;
  return (
    <Question title="Are you sure?" items={ITEMS} onSelect={close} onCancel={() => close(false)}>
      {typeof prompt === 'string' ? <Paragraph text={cleanText(prompt)} /> : prompt}
    </Question>
  );
}
