import type { Look } from '../look.js';
import { cleanText } from '../text/clean.js';
import { codeLine, digitsFor } from './code.js';
import { highlightLines, prepareLanguage } from './highlight.js';
import { languageName } from './tokens.js';

/**
 * Code that is still streaming. Each complete line is highlighted alone; when the fence closes, all of it is
 * highlighted again, which corrects comments and strings that span lines.
 */
export class OpenFence {
  readonly #lines: string[] = [];
  #position: number | undefined;
  #count = 0;
  #language = '';

  constructor(
    readonly start: number,
    readonly look: Look,
  ) {}

  draw(text: string): string[] {
    if (this.#position === undefined) {
      const end = text.indexOf('\n', this.start);
      if (end < 0) return [];
      this.#language = languageName(cleanText(text.slice(this.start, end)).replace(/^\s*(?:`+|~+)/, ''));
      this.#position = end + 1;
      prepareLanguage(this.#language);
    }
    for (;;) {
      const end = text.indexOf('\n', this.#position);
      if (end < 0) break;
      for (const row of this.#rows(text.slice(this.#position, end))) this.#lines.push(row);
      this.#count++;
      this.#position = end + 1;
    }
    const rest = text.slice(this.#position);
    if (rest === '' || /^\s*(?:`+|~+)$/.test(rest)) return this.#lines;
    return [...this.#lines, ...this.#rows(rest)];
  }

  #rows(line: string): string[] {
    const [runs = []] = highlightLines(cleanText(line), this.#language);
    return codeLine(runs, this.look, this.#count + 1, digitsFor(this.#count + 1));
  }
}
