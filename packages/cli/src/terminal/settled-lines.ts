/** The newest lines written above the frame: what a redraw may erase and must write again. */

export interface SettledLine {
  text: string;
  /** What the line is a part of, e.g. a history item; undefined: it cannot be drawn anew. */
  block: number | undefined;
}

/** More than any screen has rows. */
const KEPT = 1_000;

export class SettledLines {
  private lines: SettledLine[] = [];

  add(lines: readonly SettledLine[]): void {
    for (const line of lines) this.lines.push(line);
    if (this.lines.length > 2 * KEPT) this.lines = this.lines.slice(-KEPT);
  }

  /** Lines of other programs follow: ours are not directly above the frame any more. */
  clear(): void {
    this.lines = [];
  }

  /** Takes out the newest lines that fill `room` rows; the topmost may be on the screen in part only. */
  takeNewest(room: number, rowsOf: (line: string) => number): { rows: number; lines: SettledLine[] } {
    let rows = 0;
    let first = this.lines.length;
    while (first > 0 && rows < room) {
      first--;
      rows += rowsOf(this.lines[first]?.text ?? '');
    }
    return { rows: Math.min(rows, room), lines: this.lines.splice(first) };
  }

  /** The lines of a block that are still kept. */
  linesOf(block: number): string[] {
    return this.lines.filter((line) => line.block === block).map(({ text }) => text);
  }
}
