/**
 * Applies hunks to the text of one file: the context lines must match exactly. Pure.
 *
 * Not `applyPatch` of the package `diff` (9.0): of several places with the same lines it takes the nearest, where this
 * refuses, and it does not tell the place of a change, which the user is shown before agreeing.
 */
import type { Hunk } from './patch-format.js';

export type Applied = { text: string; hunks: Hunk[] } | { problem: string };

/** @returns the new text and the hunks with their real line numbers */
export function applyHunks(before: string, hunks: readonly Hunk[]): Applied {
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
  const lines = linesOf(before);
  const result: string[] = [];
  const placed: Hunk[] = [];
  let next = 0;
  for (const hunk of hunks) {
    const expected = hunk.lines.flatMap(({ kind, text }) => (kind === '+' ? [] : [text]));
    const at = placeOf(lines, expected, { next, hint: hunk.oldStart });
    if (typeof at !== 'number') return at;
    result.push(...lines.slice(next, at));
    placed.push({
      oldStart: expected.length === 0 ? at : at + 1,
      newStart: result.length + 1,
      lines: hunk.lines,
    });
    for (const { kind, text } of hunk.lines) if (kind !== '-') result.push(text);
    next = at + expected.length;
  }
  result.push(...lines.slice(next));
  return { text: result.map((line) => line + lineEnd).join(''), hunks: placed };
}

/** At the given line, else at the only place with these lines. */
function placeOf(
  lines: readonly string[],
  expected: readonly string[],
  { next, hint }: { next: number; hint: number },
): number | { problem: string } {
  // Added lines without context go after the line with that number.
  if (expected.length === 0) return Math.min(Math.max(hint, next), lines.length);
  const matches = (at: number) => at >= next && expected.every((line, index) => lines[at + index] === line);
  if (matches(hint - 1)) return hint - 1;
  const places: number[] = [];
  for (let at = next; at + expected.length <= lines.length; at++) if (matches(at)) places.push(at);
  const [place] = places;
  if (place === undefined)
    return { problem: `the lines it builds on ("${excerpt(expected)}") are not there any more` };
  if (places.length > 1)
    return { problem: `the lines it builds on ("${excerpt(expected)}") are there more than once` };
  return place;
}

function excerpt(lines: readonly string[]): string {
  const line = lines.find((text) => text.trim() !== '')?.trim() ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
