/** A diff, or other drawn lines, with keys to scroll. */
import { LinesInView } from './LinesInView.js';
import { useRoom } from './Room.js';
import { ScrollBox } from './ScrollBox.js';
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
  useDialogKeys({ onKey: scroll.handle }, isFocused);
  return (
    <ScrollBox scroll={scroll} total={lines.length}>
      <LinesInView lines={lines} scroll={scroll} />
    </ScrollBox>
  );
}
