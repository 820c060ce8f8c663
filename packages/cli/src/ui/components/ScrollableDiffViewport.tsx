/** A diff, or other drawn lines. It scrolls with the `ScrollBox` around it (`Question`, `Pager`), else by keys of its own. */
import { useContext } from 'react';
import { LinesInView, type LinesInViewProps } from './LinesInView.js';
import { useRoom } from './Room.js';
import { ScrollBox, ScrollContext } from './ScrollBox.js';
import { useDialogKeys } from './use-dialog-keys.js';
import { useScroll } from './use-scroll.js';

export interface ScrollableDiffViewportProps extends Omit<LinesInViewProps, 'scroll'> {
  rows?: number | undefined;
  isFocused?: boolean | undefined;
}

export function ScrollableDiffViewport({ lines, above = 0, rows, isFocused }: ScrollableDiffViewportProps) {
  const scroll = useContext(ScrollContext);
  return scroll ? (
    <LinesInView lines={lines} scroll={scroll} above={above} />
  ) : (
    <OwnViewport lines={lines} rows={rows} isFocused={isFocused} />
  );
}

function OwnViewport({ lines, rows, isFocused = true }: ScrollableDiffViewportProps) {
  const room = useRoom();
  const scroll = useScroll(lines.length, rows ?? room.rows);
  useDialogKeys({ onKey: scroll.handle }, isFocused);
  return (
    <ScrollBox scroll={scroll} total={lines.length}>
      <LinesInView lines={lines} scroll={scroll} />
    </ScrollBox>
  );
}
