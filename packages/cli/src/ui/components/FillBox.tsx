/** Children between a head and a foot: they get the rows that those two do not take. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { Room, useRoom } from './Room.js';
import { useHeight } from './use-height.js';

export interface FillBoxProps {
  head?: ReactNode;
  foot?: ReactNode;
  children: ReactNode;
}

export function FillBox({ head, foot, children }: FillBoxProps) {
  const { rows } = useRoom();
  const above = useHeight();
  const below = useHeight();
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Box ref={above.ref} flexDirection="column" flexShrink={0}>
        {head}
      </Box>
      <Room rows={rows - above.height - below.height}>{children}</Room>
      <Box ref={below.ref} flexDirection="column" flexShrink={0}>
        {foot}
      </Box>
    </Box>
  );
}
