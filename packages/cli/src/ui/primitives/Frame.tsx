/** The box of a dialog around lines that are drawn already. */
import { Box, Text } from 'ink';
import { useContext } from 'react';
import { AnswerHint } from '../components/DialogFooter.js';
import { useLook } from '../use-look.js';
import { type FrameText, frameLines, innerWidth } from './frame-lines.js';

export interface Caret {
  /** Of the lines inside, from 0. */
  row: number;
  /** Characters before it. */
  column: number;
}

export interface FrameProps extends FrameText {
  lines: readonly string[];
  /** Rows of the whole. */
  height?: number | undefined;
  /** Where the terminal's cursor stands, for input methods. */
  caret?: Caret | undefined;
}

export function Frame({ lines, height, caret, ...frame }: FrameProps) {
  const look = useLook();
  const hint = useContext(AnswerHint);
  const drawn = frameLines(look, hint === undefined ? frame : { ...frame, hint }, lines, height);
  const row = caret === undefined ? -1 : caret.row + 1;
  const focused = drawn[row];
  if (!caret || focused === undefined) return <Text wrap="truncate">{drawn.join('\n')}</Text>;
  const edge = innerWidth(look) < look.width ? 2 : 0;
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">{drawn.slice(0, row).join('\n')}</Text>
      <Text wrap="truncate" terminalCursorFocus terminalCursorPosition={caret.column + edge}>
        {focused}
      </Text>
      {row + 1 < drawn.length && <Text wrap="truncate">{drawn.slice(row + 1).join('\n')}</Text>}
    </Box>
  );
}
