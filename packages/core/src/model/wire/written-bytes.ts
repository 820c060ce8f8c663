/** Text kept as bytes, growing at its end. Returned pages never change: they may be on their way to a server. */

const FIRST_PAGE = 64 * 1024;
const PAGE = 1024 * 1024;

/** In pages: a block that doubles would be copied again and again. */
export class WrittenBytes {
  private readonly full: Buffer[] = [];
  private page = Buffer.allocUnsafe(FIRST_PAGE);
  private used = 0;

  get isEmpty(): boolean {
    return this.used === 0 && this.full.length === 0;
  }

  append(text: string): void {
    const size = Buffer.byteLength(text);
    if (this.used + size > this.page.length) {
      if (this.used > 0) this.full.push(this.page.subarray(0, this.used));
      this.page = Buffer.allocUnsafe(Math.max(size, PAGE));
      this.used = 0;
    }
    this.used += this.page.write(text, this.used);
  }

  /** All of it, in order. */
  pieces(): Buffer[] {
    return [...this.full, this.page.subarray(0, this.used)];
  }
}
