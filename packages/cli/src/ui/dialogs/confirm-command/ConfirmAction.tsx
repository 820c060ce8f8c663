/** A slash command asks before it goes on. Closed with true for yes. */
import { innerWidth } from '../../primitives/frame-lines.js';
import { Question } from '../../primitives/Question.js';
import { cleanText } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';

export interface ConfirmActionProps {
  prompt: string;
}

const CHOICES = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No (esc)' },
];

export function ConfirmActionDialog({ services, props, close }: DialogProps<ConfirmActionProps, boolean>) {
  const width = innerWidth(useLook());
  return (
    <Question
      title="Are you sure?"
      content={wrapText(cleanText(props.prompt), width)}
      choices={CHOICES}
      height={services.height}
      onSelect={close}
      onCancel={() => close(false)}
    />
  );
}
