/** A diff, or other drawn lines, of which only those in sight are given to Ink. */
import { Box } from 'ink';
import { Lines } from './Lines.js';
import { useRoom } from './Room.js';
import { ScrollPosition } from './ScrollBox.js';
import { useDialogKeys } from './use-dialog-keys.js';
import { useScroll } from './use-scroll.js';

export interface ScrollableDiffViewportProps {
  /** Drawn for `useLook().width`. */
  lines: readonly string[];
  rows?: number | undefined;
  isFocused?: boolean;
}

export function ScrollableDiffViewport({ lines, rows, isFocused = true }: ScrollableDiffViewportProps) {
  const room = useRoom();
  const scroll = useScroll(lines.length, rows ?? room.rows);
  const { top, visible, hasPosition, handle } = scroll;
  useDialogKeys({ onKey: handle }, isFocused);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Lines lines={lines.slice(top, top + visible)} />
      {hasPosition && <ScrollPosition above={top} below={lines.length - top - visible} />}
    </Box>
  );
}
