/** Keeps the last bytes of a stream, in bounded memory. */

const PAGE_BYTES = 64 * 1024;

export class TailBuffer {
  private readonly pages: Buffer[] = [];
  private held = 0;
  private page: Buffer | undefined;
  private used = 0;
  /** Bytes ever pushed. */
  total = 0;

  constructor(private readonly limit: number) {}

  push(chunk: Buffer): void {
    this.total += chunk.length;
    // Small chunks are copied into pages: the overhead of a Buffer object is larger than they are.
    if (chunk.length >= PAGE_BYTES / 2) this.addPage(chunk);
    else this.copy(chunk);
    while (this.pages.length > 1 && this.held - (this.pages[0]?.length ?? 0) >= this.limit) {
      this.held -= this.pages.shift()?.length ?? 0;
    }
  }

  /** Whether bytes at the start were dropped. */
  get isCut(): boolean {
    return this.total > this.limit;
  }

  tail(bytes = this.limit): Buffer {
    const open = this.page?.subarray(0, this.used);
    const pages = open ? [...this.pages, open] : this.pages;
    const wanted = Math.min(bytes, this.limit, this.held + (open?.length ?? 0));
    const parts: Buffer[] = [];
    let missing = wanted;
    for (let index = pages.length - 1; index >= 0 && missing > 0; index--) {
      const page = pages[index] ?? Buffer.alloc(0);
      const part = page.length > missing ? page.subarray(page.length - missing) : page;
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts.reverse(), wanted);
  }

  clear(): void {
    this.pages.length = 0;
    this.held = 0;
    this.page = undefined;
  }

  private copy(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (!this.page) {
        this.page = Buffer.allocUnsafeSlow(this.held === 0 ? PAGE_BYTES / 16 : PAGE_BYTES);
        this.used = 0;
      }
      const count = rest.copy(this.page, this.used);
      this.used += count;
      rest = rest.subarray(count);
      if (this.used === this.page.length) this.sealPage();
    }
  }

  private addPage(page: Buffer): void {
    this.sealPage();
    this.pages.push(page);
    this.held += page.length;
  }

  private sealPage(): void {
    if (!this.page) return;
    const isFull = this.used === this.page.length;
    const page = isFull ? this.page : Buffer.from(this.page.subarray(0, this.used));
    this.page = undefined;
    if (page.length === 0) return;
    this.pages.push(page);
    this.held += page.length;
  }
}
