/** Draws the suggestion list under the input: at most 8 rows, always with the selected one. */
import { visibleName } from '@gemini-cli/core';
import type { SuggestionsView } from '../../completion/types.js';
import type { Look } from '../look.js';
import { cutText, widthOf, wrapText } from '../text/columns.js';

const ROWS = 8;
const EXPANDED_ROWS = 6;

export interface SuggestionOptions {
  /** Show a long suggestion in full. */
  isExpanded?: boolean;
  rows?: number;
}

export function suggestionLines(
  view: SuggestionsView,
  look: Look,
  { isExpanded = false, rows = ROWS }: SuggestionOptions = {},
): string[] {
  const { items, selected, isLoading } = view;
  const { theme, paint, width } = look;
  const secondary = { color: theme.text.secondary };
  if (items.length === 0)
    return isLoading ? [paint(cutText('  Loading suggestions...', width), secondary)] : [];
  const first = Math.max(0, Math.min(selected - Math.floor(rows / 2), items.length - rows));
  const shown = items.slice(first, first + rows);
  const names = shown.map(({ label }) => visibleName(label));
  const nameWidth = Math.min(Math.max(...names.map(widthOf)), Math.max(8, Math.floor(width * 0.6)));
  const lines = shown.flatMap(({ description }, index) => {
    const isSelected = first + index === selected;
    const name = names[index] ?? '';
    const style = isSelected ? { color: theme.text.accent, bold: true } : secondary;
    const sign = look.screenReader ? (isSelected ? 'selected: ' : '') : isSelected ? '> ' : '  ';
    const room = Math.max(1, width - widthOf(sign));
    if (isSelected && isExpanded && widthOf(name) > nameWidth)
      return wrapText(name, room)
        .slice(0, EXPANDED_ROWS)
        .map((row, at) => paint((at === 0 ? sign : ' '.repeat(widthOf(sign))) + row, style));
    const cut = cutText(name, Math.min(nameWidth, room));
    const rest = room - nameWidth - 2;
    if (!description || rest < 8) return [paint(sign + cut, style)];
    const gap = ' '.repeat(Math.max(0, nameWidth - widthOf(cut)) + 2);
    const about = cutText(visibleName(description).replaceAll('\\n', ' '), rest);
    return [
      paint(sign + cut, style) + paint(gap + about, isSelected ? { color: theme.text.accent } : secondary),
    ];
  });
  if (items.length <= rows && !isLoading) return lines;
  const counter = items.length > rows ? `(${Math.max(0, selected) + 1}/${view.total})` : '';
  return [...lines, paint(cutText(`  ${counter}${isLoading ? ' Loading...' : ''}`, width), secondary)];
}
