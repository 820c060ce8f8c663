/** The conversation: settled items, then those that still change. The screen draws the same lines without React. */
import type { HistoryItemWithoutId } from '../../history/item.js';
import { contentLines } from '../history/main-content.js';
import { useLook } from '../use-look.js';
import { Lines } from './Lines.js';

export interface MainContentProps {
  history: readonly HistoryItemWithoutId[];
  pending?: readonly HistoryItemWithoutId[];
  /** Rows of the screen: pending items show their end only. */
  height?: number;
}

export function MainContent({ history, pending = [], height }: MainContentProps) {
  const look = useLook();
  const settled = contentLines(history, undefined, look);
  return <Lines lines={[...settled, ...contentLines(pending, history.at(-1), look, height)]} />;
}
