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
}

/** Takes the place of the hints while there is something to say about the last key. */
export const AnswerHint = createContext<readonly string[] | undefined>(undefined);

/** For a dialog without a box. */
export function DialogFooter(props: DialogFooterProps) {
  const { width, screenReader } = useLook();
  const theme = useTheme();
  const hints = useHints(props);
  if (hints.length === 0) return null;
  return <Text color={theme.text.secondary}>{cutText(hints.join(screenReader ? '. ' : ' · '), width)}</Text>;
}

/** Corners, a piece of the edge beside each of them, and a space on both sides of the text. */
export const EDGE_ENDS = 6;

/** For the edge of a box. */
export function useFooterText(props: DialogFooterProps): string {
  const { width } = useLook();
  const hints = useHints(props);
  return hints.length === 0 ? '' : ` ${fitting(hints, width - EDGE_ENDS)} `;
}

function useHints({ primaryAction, cancelAction, hints = [] }: DialogFooterProps): readonly string[] {
  const answerHint = useContext(AnswerHint);
  return answerHint ?? [primaryAction, cancelAction, ...hints].filter((hint) => hint !== undefined);
}

function fitting(hints: readonly string[], width: number): string {
  let shown = '';
  for (const hint of hints) {
    const longer = shown ? `${shown} · ${hint}` : hint;
    if (widthOf(longer) > width) break;
    shown = longer;
  }
  return shown;
}
