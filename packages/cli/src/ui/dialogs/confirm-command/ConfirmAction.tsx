/** A slash command asks before it goes on. Closed with true for yes. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Question } from '../../primitives/Question.js';
import { cleanText } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';

export interface ConfirmActionProps {
  /** Text, or what a command has drawn itself. */
  prompt: ReactNode;
}

const CHOICES = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No (esc)' },
];

export function ConfirmActionDialog({ services, props, close }: DialogProps<ConfirmActionProps, boolean>) {
  const width = innerWidth(useLook());
  const { prompt } = props;
  const isText = typeof prompt === 'string';
  return (
    <Box flexDirection="column">
      {isText ? null : prompt}
      <Question
        title="Are you sure?"
        content={isText ? wrapText(cleanText(prompt), width) : []}
        choices={CHOICES}
        height={services.height}
        onSelect={close}
        onCancel={() => close(false)}
      />
    </Box>
  );
}
