/** What keys do, in the lower edge of a dialog: whole hints only, the last ones are the first to go. */
import { Text } from 'ink';
import { createContext, useContext } from 'react';
import { cutText, widthOf } from '../text/columns.js';
import { useLook, useTheme } from '../use-look.js';

export interface DialogFooterProps {
  /** `Enter to select`. */
  primaryAction?: string | undefined;
  /** `Esc to close`. */
  cancelAction?: string | undefined;
  /** What further keys do. */
  hints?: readonly string[] | undefined;
  /** Set by `DialogFrame`: drawn between the ends of its lower edge. */
  isInEdge?: boolean;
}

/** Takes the place of the hints while there is something to say about the last key. */
export const AnswerHint = createContext<readonly string[] | undefined>(undefined);

export function DialogFooter({ primaryAction, cancelAction, hints = [], isInEdge }: DialogFooterProps) {
  const { width, screenReader } = useLook();
  const theme = useTheme();
  const answerHint = useContext(AnswerHint);
  const all = answerHint ?? [primaryAction, cancelAction, ...hints].filter((hint) => hint !== undefined);
  if (all.length === 0) return null;
  const text = isInEdge
    ? ` ${fitting(all, width - EDGE_ENDS)} `
    : cutText(all.join(screenReader ? '. ' : ' · '), width);
  return <Text color={theme.text.secondary}>{text}</Text>;
}

/** Corners, a piece of the edge beside each of them, and a space on both sides of the text. */
export const EDGE_ENDS = 6;

function fitting(hints: readonly string[], width: number): string {
  let shown = '';
  for (const hint of hints) {
    const longer = shown ? `${shown} · ${hint}` : hint;
    if (widthOf(longer) > width) break;
    shown = longer;
  }
  return shown;
}
