/**
 * The box of all dialogs. Title and footer stand in its edges, which saves two rows. For a screen reader, and where there
 * is no room for a box, it is words alone.
 */
import { Box, Text, type TextProps } from 'ink';
import type { ReactNode } from 'react';
import { cutText, widthOf } from '../text/columns.js';
import { useLook, useTheme } from '../use-look.js';
import { DialogFooter, type DialogFooterProps, EDGE_ENDS, useFooterText } from './DialogFooter.js';
import { MaxSizedBox } from './MaxSizedBox.js';
import { Room, useRoom } from './Room.js';

export interface DialogFrameProps {
  title: string;
  /** Behind the title, e.g. `2 of 3`. */
  note?: string | undefined;
  tone?: 'focus' | 'warning' | 'error' | undefined;
  /** Of `DialogFooter`. */
  footer?: DialogFooterProps | undefined;
  children?: ReactNode;
}

/** Edge, space, and the same on the other side. */
const EDGES = 4;
const NARROWEST_BOX = 24;

export function DialogFrame({ title, note, tone = 'focus', footer = {}, children }: DialogFrameProps) {
  const { width, screenReader } = useLook();
  const { rows } = useRoom();
  const theme = useTheme();
  const hints = useFooterText(footer);
  const hasBox = !screenReader && width >= NARROWEST_BOX;
  const body = (
    <Room width={hasBox ? width - EDGES : width} rows={rows - 2}>
      <MaxSizedBox>{children}</MaxSizedBox>
    </Room>
  );
  if (!hasBox) {
    return (
      <Box flexDirection="column">
        <Text bold>{cutText(note ? `${title} (${note})` : title, width)}</Text>
        {body}
        <DialogFooter {...footer} />
      </Box>
    );
  }
  const color = tone === 'focus' ? theme.ui.focus || theme.border.focused : theme.status[tone];
  const heading = cutText(note ? `${title} · ${note}` : title, width - EDGE_ENDS);
  return (
    <Box flexDirection="column" width={width}>
      <Edge
        corners="╭╮"
        color={color}
        text={` ${heading} `}
        textStyle={{ bold: true, color: theme.text.primary }}
      />
      <Box borderStyle="round" borderTop={false} borderBottom={false} borderColor={color} paddingX={1}>
        {body}
      </Box>
      <Edge corners="╰╯" color={color} text={hints} textStyle={{ color: theme.text.secondary }} />
    </Box>
  );
}

interface EdgeProps {
  corners: string;
  color: string;
  text: string;
  textStyle: Pick<TextProps, 'color' | 'bold'>;
}

/** One text, not boxes: each of those costs time with each key. */
function Edge({ corners, color, text, textStyle }: EdgeProps) {
  const { width } = useLook();
  const line = '─'.repeat(Math.max(0, width - 3 - widthOf(text)));
  return (
    <Text wrap="truncate">
      <Text color={color}>{`${corners[0]}─`}</Text>
      <Text {...textStyle}>{text}</Text>
      <Text color={color}>{line + corners[1]}</Text>
    </Text>
  );
}
