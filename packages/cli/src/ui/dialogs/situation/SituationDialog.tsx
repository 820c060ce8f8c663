/** Quota, errors, and changes that want a decision: one dialog, the cases are data. */
import { innerWidth } from '../../primitives/frame-lines.js';
import { Question } from '../../primitives/Question.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { describe, type Situation, type SituationAnswer } from './situations.js';

export interface SituationProps {
  situation: Situation;
}

export function SituationDialog({ services, props, close }: DialogProps<SituationProps, SituationAnswer>) {
  const look = useLook();
  const width = innerWidth(look);
  const { title, text, choices, onEscape } = describe(props.situation);
  return (
    <Question
      title={cleanLine(title)}
      hint={['Enter to select', 'Esc to close']}
      tone="warning"
      content={text.flatMap((line) => wrapText(cleanLine(line), width))}
      choices={choices.map((choice) => ({ ...choice, label: cleanLine(choice.label) }))}
      height={services.height}
      onSelect={close}
      onCancel={() => close(onEscape)}
    />
  );
}
