import type { HistoryItemWithoutId } from '../../history/item.js';
import { linesOf } from '../history/lines.js';
import { useLook } from '../use-look.js';
import { Lines } from './Lines.js';

export interface HistoryItemDisplayProps {
  item: HistoryItemWithoutId;
  /** Rows at most. */
  height?: number;
}

export function HistoryItemDisplay({ item, height }: HistoryItemDisplayProps) {
  const look = useLook();
  return <Lines lines={linesOf(item, look, height === undefined ? {} : { height })} />;
}
