/** One entry of a list: what stands before it, its label, and details below. */
import { Box, Text } from 'ink';
import { memo, type ReactNode } from 'react';
import { wrapText } from '../text/columns.js';
import { useLook, useTheme } from '../use-look.js';
import { paragraphRows } from './Paragraph.js';

export interface ListEntryProps {
  /** `● 1. `, `[x] `. */
  lead: string;
  label: string;
  detail?: string | undefined;
  /** One row between label and detail. */
  extra?: ReactNode;
  isChosen: boolean;
  isDisabled?: boolean;
}

/** Remembered: a key changes two entries of a list, and what is not rendered anew is not laid out anew. */
export const ListEntry = memo(function ListEntry(props: ListEntryProps) {
  const { lead, label, detail, extra, isChosen, isDisabled = false } = props;
  const { width } = useLook();
  const theme = useTheme();
  const chosen = theme.ui.focus || theme.text.accent;
  const color = isDisabled ? theme.text.secondary : isChosen ? chosen : theme.text.primary;
  const indent = ' '.repeat(lead.length);
  // Drawn with its indent, not laid out beside the lead: each box costs time with each key.
  const block = (text: string, first = indent) =>
    wrapText(text, Math.max(1, width - lead.length))
      .map((line, at) => (at === 0 ? first : indent) + line)
      .join('\n');
  const title = (
    <Text color={color} bold={isChosen}>
      {block(label, lead)}
    </Text>
  );
  const below = detail ? <Text color={theme.text.secondary}>{block(detail)}</Text> : null;
  // Without anything in between it is one text: each element costs time with each key.
  if (!extra) {
    return (
      <Text>
        {title}
        {below && '\n'}
        {below}
      </Text>
    );
  }
  return (
    <Box flexDirection="column" flexShrink={0}>
      {title}
      <Box marginLeft={lead.length}>{extra}</Box>
      {below}
    </Box>
  );
});

export function entryRows({ lead, label, detail = '', extra }: ListEntryProps, width: number): number {
  const room = width - lead.length;
  return Math.max(1, paragraphRows(label, room)) + (extra ? 1 : 0) + paragraphRows(detail, room);
}
