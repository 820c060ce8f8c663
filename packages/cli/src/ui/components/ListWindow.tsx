/** The part of a list around the chosen entry, with marks for what is above and below. */
import { Box, Text } from 'ink';
import { Fragment, type ReactNode } from 'react';
import { useLook, useTheme } from '../use-look.js';
import { type Entries, listWindow } from './list-window.js';
import { useRoom } from './Room.js';

export interface ListWindowProps extends Entries {
  index: number;
  /** Rows at most; all of the room if absent. */
  rows?: number | undefined;
  children(index: number): ReactNode;
}

export function ListWindow({ count, rowsOf, index, rows, children }: ListWindowProps) {
  const room = useRoom();
  if (count === 0) return null;
  const most = Math.max(1, rows ?? room.rows);
  const { first, last, rows: needed, hasMarks } = listWindow({ count, rowsOf }, index, most);
  const above = hasMarks ? first : 0;
  const below = hasMarks ? count - 1 - last : 0;
  const marks = (above > 0 ? 1 : 0) + (below > 0 ? 1 : 0);
  const height = Math.max(1, most - marks);
  const indices = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    <>
      {above > 0 && <Mark symbol="▲" hidden={above} />}
      <Box flexDirection="column" flexShrink={0} {...(needed > height && { overflowY: 'hidden', height })}>
        {indices.map((at) => (
          <Fragment key={at}>{children(at)}</Fragment>
        ))}
      </Box>
      {below > 0 && <Mark symbol="▼" hidden={below} />}
    </>
  );
}

function Mark({ symbol, hidden }: { symbol: '▲' | '▼'; hidden: number }) {
  const { screenReader } = useLook();
  const theme = useTheme();
  const side = symbol === '▲' ? 'above' : 'below';
  return (
    <Text color={theme.text.secondary}>
      {screenReader ? `${hidden} more ${side}` : `${symbol} ${hidden} more`}
    </Text>
  );
}
