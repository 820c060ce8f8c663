/** Reads the visible cells of a terminal with their colours. */
import type { IBufferCell, Terminal } from '@xterm/headless';

export interface ScreenCell {
  text: string;
  /** 2: a wide character; the cell after it is omitted. */
  width: 1 | 2;
  /** `#rrggbb`, or a number of the terminal's own palette. */
  color?: string | number;
  background?: string | number;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  strike?: true;
  inverse?: true;
}

export function cellsOf({ buffer: { active }, rows, cols }: Terminal): ScreenCell[][] {
  return Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    const cells: ScreenCell[] = [];
    for (let column = 0; column < cols; column++) {
      const cell = line?.getCell(column);
      if (cell && cell.getWidth() > 0) cells.push(cellOf(cell));
    }
    return cells;
  });
}

function cellOf(cell: IBufferCell): ScreenCell {
  return {
    text: cell.getChars() || ' ',
    width: cell.getWidth() === 2 ? 2 : 1,
    ...(!cell.isFgDefault() && { color: colour(cell.isFgRGB(), cell.getFgColor()) }),
    ...(!cell.isBgDefault() && { background: colour(cell.isBgRGB(), cell.getBgColor()) }),
    ...(cell.isBold() && { bold: true }),
    ...(cell.isDim() && { dim: true }),
    ...(cell.isItalic() && { italic: true }),
    ...(cell.isUnderline() && { underline: true }),
    ...(cell.isStrikethrough() && { strike: true }),
    ...(cell.isInverse() && { inverse: true }),
  };
}

function colour(isRgb: boolean, value: number): string | number {
  return isRgb ? `#${value.toString(16).padStart(6, '0')}` : value;
}
