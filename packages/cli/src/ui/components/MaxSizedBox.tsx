/** Never more rows than there is room for; what does not fit is counted in the last of them. */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { useRoom } from './Room.js';
import { useHeight } from './use-height.js';

export function MaxSizedBox({ maxHeight, children }: { maxHeight?: number; children: ReactNode }) {
  const room = useRoom();
  const rows = maxHeight ?? room.rows;
  const { ref, height } = useHeight();
  const hidden = height > rows ? height - rows + 1 : 0;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {/* Only in a box that scrolls is the height of the content independent of the rows that are given to it. */}
      <Box
        flexDirection="column"
        overflowY="scroll"
        scrollbar={false}
        {...(Number.isFinite(rows) && { maxHeight: hidden > 0 ? rows - 1 : rows })}
      >
        <Box ref={ref} flexDirection="column" flexShrink={0}>
          {children}
        </Box>
      </Box>
      {hidden > 0 && <Text wrap="truncate">{`… ${hidden} more line${hidden === 1 ? '' : 's'}`}</Text>}
    </Box>
  );
}
