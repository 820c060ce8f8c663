/** Never more rows than there is room for; what does not fit is counted in the last of them. */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { useRoom } from './Room.js';
import { useHeight } from './use-height.js';

/**
 * Only in a box that scrolls is the height of its content independent of the rows that it gets. Ink draws such a box apart
 * and copies it, so only what does not fit is put into one.
 */
export const CLIPPED = { overflowY: 'scroll', scrollbar: false } as const;

export function MaxSizedBox({ maxHeight, children }: { maxHeight?: number; children: ReactNode }) {
  const room = useRoom();
  const rows = maxHeight ?? room.rows;
  const { ref, height } = useHeight();
  const hidden = height > rows ? height - rows + 1 : 0;
  return (
    <>
      <Box flexDirection="column" flexShrink={0} {...(hidden > 0 && { ...CLIPPED, height: rows - 1 })}>
        <Box ref={ref} flexDirection="column" flexShrink={0}>
          {children}
        </Box>
      </Box>
      {hidden > 0 && <Text wrap="truncate">{`… ${hidden} more line${hidden === 1 ? '' : 's'}`}</Text>}
    </>
  );
}
