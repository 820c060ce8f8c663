/** Drawn lines inside of a `ScrollBox`. Only those in sight are given to Ink: a diff may have thousands. */
import { Box } from 'ink';
import { truncateAnsi } from '../text/wrap.js';
import { useLook } from '../use-look.js';
import { Lines } from './Lines.js';
import type { Scroll } from './use-scroll.js';

export interface LinesInViewProps {
  /** Drawn for `useLook().width`. */
  lines: readonly string[];
  scroll: Pick<Scroll, 'top' | 'visible'>;
  /** Rows of the `ScrollBox` above these lines. */
  above?: number;
}

export function LinesInView({ lines, scroll, above = 0 }: LinesInViewProps) {
  const { width } = useLook();
  const within = (row: number) => Math.max(0, Math.min(row - above, lines.length));
  const [first, end] = [within(scroll.top), within(scroll.top + scroll.visible)];
  // A line that wrapped would push the last one out of sight.
  const shown = lines.slice(first, end).map((line) => truncateAnsi(line, width));
  return (
    <Box height={end - first} marginTop={first} marginBottom={lines.length - end} flexShrink={0}>
      <Lines lines={shown} />
    </Box>
  );
}
