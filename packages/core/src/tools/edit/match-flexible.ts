import type { TextEdit } from '../line-ends.js';
import { blockEdit, blockLines, indentOf, type Line, linesOf, looksBlank } from './block.js';
import type { MatchRequest, MatchResult } from './match-types.js';

/** Whole lines that are equal but for white space at their ends; the new text takes over the indentation. */
export function matchFlexibly({ content, oldText, newText }: MatchRequest): MatchResult {
  const wanted = blockLines(oldText).map((line) => line.trim());
  const lines = linesOf(content);
  const trimmed = lines.map((line) => line.text.trim());
  const edits: TextEdit[] = [];
  for (let at = 0; at + wanted.length <= lines.length; ) {
    if (wanted.some((line, index) => line !== trimmed[at + index])) {
      at++;
      continue;
    }
    const window = lines.slice(at, at + wanted.length);
    edits.push(blockEdit(content, spanOf(window), { oldText, newText }));
    at += wanted.length;
  }
  return { edits };
}

export function spanOf(window: Line[]): { start: number; end: number; indent: string } {
  const indent = indentOf(window.find((line) => !looksBlank(line.text))?.text ?? '');
  return { start: window[0]?.start ?? 0, end: window.at(-1)?.end ?? 0, indent };
}
