import type { TextEdit } from '../line-ends.js';
import { blockEdit } from './block.js';
import type { MatchRequest, MatchResult } from './match-types.js';

/** The regex engine refuses to compile a longer pattern. */
const MAX_PATTERN_LENGTH = 100_000;

/** The same tokens from the start of a line on, whatever white space is between them. */
export function matchByTokens({ content, oldText, newText, multiple }: MatchRequest): MatchResult {
  const tokens = oldText
    .replace(/[():[\]{}><=]/g, ' $& ')
    .split(/\s+/)
    .filter(Boolean);
  const body = tokens.map((token) => token.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('\\s*');
  if (body.length > MAX_PATTERN_LENGTH) return { edits: [] };
  const pattern = new RegExp(`^([ \\t]*)${body}`, 'gm');
  const edits: TextEdit[] = [];
  for (let match = pattern.exec(content); match; match = pattern.exec(content)) {
    const span = { start: match.index, end: match.index + match[0].length, indent: match[1] ?? '' };
    const edit = blockEdit(content, span, { oldText, newText });
    edits.push(edit);
    if (!multiple) break;
    pattern.lastIndex = edit.end;
  }
  return { edits };
}
