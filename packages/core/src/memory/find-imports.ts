/** Finds `@path` in the prose of a context file. */
import { codeRanges } from './markdown-code.js';

export interface ImportMark {
  /** Position of the `@`. */
  start: number;
  end: number;
  /** As written, without the `@`. */
  path: string;
  line: number;
}

/** An import starts a line or follows white space, and begins with `.`, `/` or a letter. */
const MARK = /(?<=^|\s)@([./\p{L}]\S*)/gu;

export function findImports(text: string): ImportMark[] {
  if (!text.includes('@')) return [];
  const code = codeRanges(text);
  const marks: ImportMark[] = [];
  let range = 0;
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(MARK)) {
    const start = match.index;
    while (range < code.length && (code[range]?.end ?? 0) <= start) range++;
    if ((code[range]?.start ?? Infinity) <= start) continue;
    for (; counted < start; counted++) if (text[counted] === '\n') line++;
    marks.push({ start, end: start + match[0].length, path: match[1] ?? '', line });
  }
  return marks;
}

/** Whether a missing file should be reported; not for `@param` and `@types/node`. */
export function looksLikeFile(path: string): boolean {
  return /^\.{1,2}\//.test(path) || /\.(?:md|mdc|markdown|txt|rst|adoc|json|jsonc|ya?ml|toml)$/i.test(path);
}

/** The path without trailing punctuation; undefined when there is none. */
export function withoutPunctuation(path: string): string | undefined {
  let end = path.length;
  while (end > 0 && `.,;:!?)]}'"*_`.includes(path[end - 1] ?? '')) end--;
  return end === path.length || end === 0 ? undefined : path.slice(0, end);
}
