/** The files that are open in the editor (F4). */
import type { Look } from '../look.js';
import type { UiState } from '../store/state.js';
import { cleanLine } from '../text/clean.js';
import { fitSpans, paintSpans, span } from '../text/spans.js';

export function openFileLines({ facts }: UiState, look: Look): string[] {
  const { openFiles = [], editor = 'the editor' } = facts;
  if (openFiles.length === 0) return [];
  const { theme, paint, width } = look;
  const dim = { color: theme.text.secondary };
  const head = [
    span(` Open in ${cleanLine(editor)} `, { color: theme.text.accent, bold: true }),
    span('(F4 to hide)', dim),
  ];
  const rows = openFiles.map((name) => [span(`   ${cleanLine(name)}`, dim)]);
  return [head, ...rows].map((spans) => paintSpans(fitSpans(spans, width), paint));
}
