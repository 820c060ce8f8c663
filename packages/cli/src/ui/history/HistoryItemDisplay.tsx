import type { HistoryItemWithoutId } from '../../history/item.js';
import { Lines } from '../components/Lines.js';
import { useLook } from '../use-look.js';
import { linesOf } from './lines.js';

export interface HistoryItemDisplayProps {
  item: HistoryItemWithoutId;
  /** Rows at most. */
  height?: number;
}

export function HistoryItemDisplay({ item, height }: HistoryItemDisplayProps) {
  const look = useLook();
  return <Lines lines={linesOf(item, look, height === undefined ? {} : { height })} />;
}
