/** Details that scroll, and below them the answer, which always stays visible. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { LinesInView } from '../components/LinesInView.js';
import { useRoom } from '../components/Room.js';
import { ScrollBox } from '../components/ScrollBox.js';
import { useDialogKeys } from '../components/use-dialog-keys.js';
import { useHeight } from '../components/use-height.js';
import { useScroll } from '../components/use-scroll.js';
import { commandOf } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';

export interface DetailsAndAnswerProps {
  above?: ReactNode;
  /** A diff, a command or a plan, as lines because it may be long. */
  lines: readonly string[];
  below?: ReactNode;
  /** The answer. A list or field in it calls `onScrollKey` before handling a key itself. */
  children(onScrollKey: (key: Key) => boolean): ReactNode;
}

export function DetailsAndAnswer({ above, lines, below, children }: DetailsAndAnswerProps) {
  const { rows } = useRoom();
  const [first, last, answer] = [useHeight(), useHeight(), useHeight()];
  const total = first.height + lines.length + last.height;
  const scroll = useScroll(total, Math.max(1, rows - answer.height));
  // Handled even when everything is visible: paging must not select another answer.
  const onKey = (key: Key) => scroll.handle(key) || commandOf(key, SCROLL_KEYS) !== undefined;
  useDialogKeys({ onKey });
  return (
    <>
      <ScrollBox scroll={scroll} total={total}>
        <Box ref={first.ref} flexDirection="column" flexShrink={0}>
          {above}
        </Box>
        <LinesInView lines={lines} scroll={scroll} above={first.height} />
        <Box ref={last.ref} flexDirection="column" flexShrink={0}>
          {below}
        </Box>
      </ScrollBox>
      <Box ref={answer.ref} flexDirection="column" flexShrink={0}>
        {children(onKey)}
      </Box>
    </>
  );
}

const SCROLL_KEYS = [
  'scroll.pageUp',
  'scroll.pageDown',
  'scroll.up',
  'scroll.down',
  'scroll.home',
  'scroll.end',
] as const;
