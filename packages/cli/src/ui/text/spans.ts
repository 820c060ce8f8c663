/** Styled text before painting: runs that are wrapped, cut and padded without parsing escape sequences. */
import type { Paint, Style } from '../themes/style.js';
import { graphemes, isWide, takeWidth, textWidth } from './width.js';

export interface Span {
  text: string;
  style: Style;
}

export const PLAIN_STYLE: Style = Object.freeze({});

export function span(text: string, style: Style = PLAIN_STYLE): Span {
  return { text, style };
}

export function paintSpans(spans: readonly Span[], paint: Paint): string {
  let line = '';
  for (const { text, style } of spans) line += style === PLAIN_STYLE ? text : paint(text, style);
  return line;
}

export function spansWidth(spans: readonly Span[]): number {
  let width = 0;
  for (const { text } of spans) width += textWidth(text);
  return width;
}

/** Cut to `width` with an ellipsis, or padded to it with spaces styled as `fill`. */
export function fitSpans(spans: readonly Span[], width: number, fill?: Style): Span[] {
  const total = spansWidth(spans);
  if (total <= width) {
    return fill && total < width ? [...spans, { text: ' '.repeat(width - total), style: fill }] : [...spans];
  }
  const cut: Span[] = [];
  let left = Math.max(0, width - 1);
  let last: Style = PLAIN_STYLE;
  for (const { text, style } of spans) {
    const { head, width: taken } = takeWidth(text, left);
    last = style;
    if (head !== '') cut.push({ text: head, style });
    left -= taken;
    if (head.length < text.length) break;
  }
  if (width > 0) cut.push({ text: '…', style: last });
  if (fill && left > 0) cut.push({ text: ' '.repeat(left), style: fill });
  return cut;
}

/** Breaks at spaces, between wide characters, and inside words longer than a line. */
export function wrapSpans(spans: readonly Span[], width: number): Span[][] {
  const only = spans.length === 1 ? spans[0] : undefined;
  if (only && only.text.length <= width && !only.text.includes('\n') && textWidth(only.text) <= width)
    return [[only]];
  return new Wrapper(Math.max(1, width)).wrap(spans);
}

/** Breaks lines only where they do not fit: for code and output. */
export function breakSpans(spans: readonly Span[], width: number): Span[][] {
  const limit = Math.max(1, width);
  const lines: Span[][] = [];
  let line: Span[] = [];
  let used = 0;
  for (const { text, style } of spans) {
    let start = 0;
    while (start < text.length) {
      // Only about one row is copied at a time, not the rest of a long line.
      const { head, width: taken } = takeWidth(start === 0 ? text : text.slice(start), limit - used);
      if (head !== '') {
        line.push({ text: head, style });
        used += taken;
        start += head.length;
      } else if (used === 0) {
        // A character wider than the line must still advance.
        const [forced = text] = graphemes(text.slice(start, start + 64));
        line.push({ text: forced, style });
        used = limit;
        start += forced.length;
      }
      if (start < text.length) {
        lines.push(line);
        [line, used] = [[], 0];
      }
    }
  }
  if (line.length > 0 || lines.length === 0) lines.push(line);
  return lines;
}

/** These may not start a line in Chinese and Japanese. */
const CLOSING = new Set('、。，．！？）」』】〉》：；ー');

class Wrapper {
  readonly #width: number;
  readonly #lines: Span[][] = [];
  #line: Span[] = [];
  #used = 0;
  #gap: Span[] = [];
  #gapWidth = 0;
  #word: Span[] = [];
  #wordWidth = 0;

  constructor(width: number) {
    this.#width = width;
  }

  wrap(spans: readonly Span[]): Span[][] {
    for (const { text, style } of spans) {
      for (const [piece] of text.matchAll(/\n| +|[^ \n]+/g)) {
        if (piece === '\n') this.#endLine();
        else if (piece.startsWith(' ')) this.#addGap(piece, style);
        else this.#addWord(piece, style);
      }
    }
    this.#endLine();
    return this.#lines;
  }

  #addGap(text: string, style: Style): void {
    this.#flushWord();
    this.#gap.push({ text, style });
    this.#gapWidth += text.length;
  }

  #addWord(text: string, style: Style): void {
    let start = 0;
    for (let index = 0; index < text.length; index++) {
      if (!isWide(text.charCodeAt(index))) continue;
      // A line may break on either side of a wide character, except before closing marks.
      if (index > start) this.#extendWord(text.slice(start, index), style);
      if (!CLOSING.has(text[index] ?? '')) this.#flushWord();
      this.#extendWord(text[index] ?? '', style);
      start = index + 1;
    }
    if (start < text.length) this.#extendWord(start === 0 ? text : text.slice(start), style);
  }

  #extendWord(text: string, style: Style): void {
    this.#word.push({ text, style });
    this.#wordWidth += textWidth(text);
  }

  #flushWord(): void {
    if (this.#word.length === 0) return;
    if (this.#used + this.#gapWidth + this.#wordWidth > this.#width) {
      const isLineStarted = this.#used > 0;
      if (isLineStarted) this.#pushLine();
      else this.#takeGap();
      if (this.#used + this.#wordWidth > this.#width) {
        this.#breakWord();
        return;
      }
    } else this.#takeGap();
    for (const part of this.#word) append(this.#line, part);
    this.#used += this.#wordWidth;
    this.#dropWord();
  }

  #takeGap(): void {
    // An indent that leaves no room for text is ignored.
    if (this.#used + this.#gapWidth >= this.#width) this.#dropGap();
    for (const part of this.#gap) append(this.#line, part);
    this.#used += this.#gapWidth;
    this.#dropGap();
  }

  #breakWord(): void {
    const room = this.#width - this.#used;
    const parts =
      room > 0 && this.#used > 0 ? breakSpans(this.#word, room) : breakSpans(this.#word, this.#width);
    if (this.#used >= this.#width) this.#pushLine();
    // An indent narrows only the first line.
    const first = parts[0] ?? [];
    for (const part of first) append(this.#line, part);
    this.#used += spansWidth(first);
    const rest =
      room > 0 && this.#used > spansWidth(first)
        ? breakSpans(parts.slice(1).flat(), this.#width)
        : parts.slice(1);
    for (const line of rest) {
      if (line.length === 0) continue;
      this.#pushLine();
      for (const part of line) append(this.#line, part);
      this.#used = spansWidth(line);
    }
    this.#dropWord();
  }

  #endLine(): void {
    this.#flushWord();
    this.#pushLine();
  }

  #pushLine(): void {
    this.#lines.push(this.#line);
    this.#line = [];
    this.#used = 0;
    this.#dropGap();
  }

  #dropWord(): void {
    this.#word = [];
    this.#wordWidth = 0;
  }

  #dropGap(): void {
    this.#gap = [];
    this.#gapWidth = 0;
  }
}

/** Joins runs of the same style, for fewer escape sequences. */
function append(line: Span[], part: Span): void {
  const last = line.at(-1);
  if (last && last.style === part.style)
    line[line.length - 1] = { text: last.text + part.text, style: last.style };
  else line.push(part);
}
