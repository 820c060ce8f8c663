/** Asks about quota, errors and changes that need a decision: one dialog, the cases are data. */
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { cleanLine } from '../../text/clean.js';
import type { DialogProps } from '../dialog.js';
import { describe, type Situation, type SituationAnswer } from './situations.js';

export interface SituationProps {
  situation: Situation;
}

export function SituationDialog({ props, close }: DialogProps<SituationProps, SituationAnswer>) {
  const { title, text, items, onEscape } = describe(props.situation);
  return (
    <Question
      title={cleanLine(title)}
      tone="warning"
      items={items.map((item) => ({ ...item, label: cleanLine(item.label) }))}
      onSelect={close}
      onCancel={() => close(onEscape)}
    >
      <Paragraph text={text.map(cleanLine).join('\n')} />
    </Question>
  );
}
