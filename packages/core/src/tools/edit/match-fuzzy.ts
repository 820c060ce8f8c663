import { distanceWithin } from '../../base/edit-distance.js';
import { blockEdit, blockLines, type Line, linesOf } from './block.js';
import { spanOf } from './match-flexible.js';
import type { MatchRequest, MatchResult } from './match-types.js';

const MIN_LENGTH = 10;
const MAX_WORK = 4e8;
const MAX_SCORE = 0.1;
/** A difference in white space counts a tenth of any other. */
const WHITESPACE_WEIGHT = 0.1;

/** Whole lines that differ in at most a tenth of their characters. */
export function matchFuzzily({ content, oldText, newText }: MatchRequest): MatchResult {
  const lines = linesOf(content);
  if (oldText.length < MIN_LENGTH || lines.length * oldText.length ** 2 > MAX_WORK) return { edits: [] };
  const height = blockLines(oldText).length;
  const windows = bestWindows(lines, height, blockLines(oldText).join('\n'), oldText.length);
  if (windows.length === 0) return { edits: [] };
  const edits = windows.map((at) =>
    blockEdit(content, spanOf(lines.slice(at, at + height)), { oldText, newText }),
  );
  const places = windows.map((at) => (height === 1 ? `${at + 1}` : `${at + 1}-${at + height}`));
  const noun = height === 1 && places.length === 1 ? 'line' : 'lines';
  return { edits, note: `Applied fuzzy match at ${noun} ${places.join(', ')}.` };
}

/** Indices of the first lines of all windows that are close enough, no two overlapping, in order. */
function bestWindows(lines: Line[], height: number, wanted: string, length: number): number[] {
  const candidates: { at: number; score: number }[] = [];
  for (let at = 0; at + height <= lines.length; at++) {
    const text = lines
      .slice(at, at + height)
      .map((line) => line.text)
      .join('\n');
    const score = scoreOf(text, wanted, length);
    if (score !== undefined) candidates.push({ at, score });
  }
  candidates.sort((a, b) => a.score - b.score || a.at - b.at);
  const chosen: number[] = [];
  for (const { at } of candidates) {
    if (chosen.every((other) => Math.abs(other - at) >= height)) chosen.push(at);
  }
  return chosen.sort((a, b) => a - b);
}

/** Undefined when `text` is too different. */
function scoreOf(text: string, wanted: string, length: number): number | undefined {
  const budget = MAX_SCORE * length;
  const bare = distanceWithin(withoutSpace(text), withoutSpace(wanted), Math.floor(budget));
  if (bare === undefined) return undefined;
  const rest = Math.floor((budget - bare) / WHITESPACE_WEIGHT + 1e-9);
  const raw = distanceWithin(text, wanted, bare + rest);
  if (raw === undefined) return undefined;
  return (bare + WHITESPACE_WEIGHT * (raw - bare)) / length;
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
