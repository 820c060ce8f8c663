/** One entry of a list: what stands before it, its label, and details below. */
import { Box, Text } from 'ink';
import { memo, type ReactNode } from 'react';
import { useTheme } from '../use-look.js';
import { Paragraph, paragraphRows } from './Paragraph.js';

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
  const theme = useTheme();
  const chosen = theme.ui.focus || theme.text.accent;
  const color = isDisabled ? theme.text.secondary : isChosen ? chosen : theme.text.primary;
  return (
    <Box flexShrink={0}>
      <Box flexShrink={0}>
        <Text color={color} bold={isChosen}>
          {lead}
        </Text>
      </Box>
      <Box flexDirection="column">
        <Paragraph text={label} indent={lead.length} color={color} bold={isChosen} />
        {extra}
        {detail ? <Paragraph text={detail} indent={lead.length} color={theme.text.secondary} /> : null}
      </Box>
    </Box>
  );
});

export function entryRows({ lead, label, detail = '', extra }: ListEntryProps, width: number): number {
  const room = width - lead.length;
  return Math.max(1, paragraphRows(label, room)) + (extra ? 1 : 0) + paragraphRows(detail, room);
}
