/** Something to read that may be long, and below it a list to answer from: the shape of most dialogs. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { isCommand } from '../keys/bindings.js';
import { useLook, useTheme } from '../use-look.js';
import { DialogFrame, type DialogFrameProps } from './DialogFrame.js';
import { Paragraph, paragraphRows } from './Paragraph.js';
import { RadioButtonSelect, type RadioButtonSelectProps } from './RadioButtonSelect.js';
import { useRoom } from './Room.js';
import { ScrollBox } from './ScrollBox.js';
import { useDialogKeys } from './use-dialog-keys.js';
import { useHeight } from './use-height.js';
import { useScroll } from './use-scroll.js';

export interface QuestionProps<T>
  extends Omit<DialogFrameProps, 'children'>,
    Omit<RadioButtonSelectProps<T>, 'isFocused' | 'isActive' | 'rows'> {
  /** Above the question; scrolls. */
  children?: ReactNode;
  question?: string | undefined;
  onCancel(): void;
  /** False: nothing can be answered now. */
  isActive?: boolean;
}

export function Question<T>({ title, note, tone, footer, ...body }: QuestionProps<T>) {
  const keys = footer ?? { primaryAction: 'Enter to select', cancelAction: 'Esc to close' };
  return (
    <DialogFrame title={title} note={note} tone={tone} footer={keys}>
      <QuestionBody {...body} />
    </DialogFrame>
  );
}

/** So much of the content stays in sight above a long list. */
const CONTENT_ROWS = 3;

function QuestionBody<T>({
  children,
  question = '',
  onCancel,
  onKey,
  isActive = true,
  ...list
}: Omit<QuestionProps<T>, keyof DialogFrameProps> & { children?: ReactNode }) {
  const theme = useTheme();
  const { width } = useLook();
  const rows = useRoom().rows - paragraphRows(question, width);
  const content = useHeight();
  const answers = useHeight();
  const scroll = useScroll(content.height, Math.max(0, rows - answers.height));
  useDialogKeys(
    {
      onKey: (key) => {
        const isCancel = isCommand(key, 'basic.cancel');
        if (isCancel) onCancel();
        return isCancel;
      },
    },
    isActive,
  );
  return (
    <>
      <ScrollBox scroll={scroll} total={content.height} contentRef={content.ref}>
        {children}
      </ScrollBox>
      {question !== '' && <Paragraph text={question} color={theme.text.primary} bold />}
      <Box ref={answers.ref} flexDirection="column" flexShrink={0}>
        <RadioButtonSelect
          {...list}
          isActive={isActive}
          rows={rows - Math.min(content.height, CONTENT_ROWS)}
          onKey={(key, value) => scroll.handle(key) || (onKey?.(key, value) ?? false)}
        />
      </Box>
    </>
  );
}
