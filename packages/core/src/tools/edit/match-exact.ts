import type { TextEdit } from '../line-ends.js';
import type { MatchRequest, MatchResult } from './match-types.js';

/** Literal occurrences. */
export function matchExactly({ content, oldText, newText }: MatchRequest): MatchResult {
  const edits: TextEdit[] = [];
  for (let at = content.indexOf(oldText); at !== -1; at = content.indexOf(oldText, at + oldText.length)) {
    edits.push({ start: at, end: at + oldText.length, text: newText });
  }
  return { edits };
}
