/** A place in something that has more rows than there is room for. One row tells how much is hidden. */
import { useState } from 'react';
import { isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';

export interface Scroll {
  /** The first row shown. */
  top: number;
  /** Rows for the content, without the one that tells the position. */
  visible: number;
  isNeeded: boolean;
  hasPosition: boolean;
  handle(key: Key): boolean;
  moveTo(row: number): void;
}

export function useScroll(total: number, rows: number): Scroll {
  const [wanted, setWanted] = useState(0);
  const isNeeded = total > rows;
  const visible = isNeeded ? Math.max(0, rows - 1) : total;
  const clamp = (row: number) => Math.max(0, Math.min(row, total - visible));
  const top = clamp(wanted);
  return {
    top,
    visible,
    isNeeded,
    hasPosition: isNeeded && rows > 0,
    moveTo: (row) => setWanted(clamp(row)),
    handle(key) {
      const next = isNeeded ? target(key, top, { page: Math.max(1, visible - 1), total }) : undefined;
      if (next !== undefined) setWanted(clamp(next));
      return next !== undefined;
    },
  };
}

function target(key: Key, top: number, { page, total }: { page: number; total: number }): number | undefined {
  if (isCommand(key, 'scroll.pageDown')) return top + page;
  if (isCommand(key, 'scroll.pageUp')) return top - page;
  if (isCommand(key, 'scroll.down')) return top + 1;
  if (isCommand(key, 'scroll.up')) return top - 1;
  if (isCommand(key, 'scroll.home')) return 0;
  return isCommand(key, 'scroll.end') ? total : undefined;
}
