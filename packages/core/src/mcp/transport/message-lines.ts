/** Splits the output of a server into lines, one message each, without joining large messages piece by piece. */

/** Larger than any image a model accepts. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 10;

export class MessageLines {
  private pieces: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly onLine: (line: string) => void,
    /** Called once; later output is dropped. */
    private readonly onTooLong: () => void,
    private readonly limit = MAX_MESSAGE_BYTES,
  ) {}

  push(chunk: Buffer): void {
    if (this.size > this.limit) return;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.add(chunk.subarray(start, end));
      start = end + 1;
      if (this.size > this.limit) {
        this.giveUp();
        return;
      }
      this.flush();
    }
    this.add(chunk.subarray(start));
    if (this.size > this.limit) this.giveUp();
  }

  private add(piece: Buffer): void {
    if (piece.length > 0) this.pieces.push(piece);
    this.size += piece.length;
  }

  private giveUp(): void {
    this.pieces = [];
    this.onTooLong();
  }

  private flush(): void {
    const line = (this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces))?.toString('utf8');
    this.pieces = [];
    this.size = 0;
    if (line?.trim()) this.onLine(line);
  }
}
