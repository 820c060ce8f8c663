/** How a text field looks as a line, for dialogs that are not components yet. */
import { type FieldState, textOf } from '../components/field-state.js';
import type { Look } from '../look.js';
import { graphemes, textWidth } from '../text/width.js';

export { type FieldState, fieldKey, fieldOf, insertText, textOf } from '../components/field-state.js';

export interface FieldLook {
  width: number;
  placeholder?: string | undefined;
  /** For keys: as many `*` as there are characters. */
  isMasked?: boolean;
  isFocused?: boolean;
}

/** The part around the caret, and how many characters of it stand before the caret. */
export function fieldLine(
  look: Look,
  state: FieldState,
  { width, placeholder = '', isMasked = false, isFocused = true }: FieldLook,
): { line: string; caretColumn: number } {
  const { paint, theme } = look;
  const written = [...graphemes(textOf(state))];
  const shown = isMasked ? written.map(() => '*') : written;
  if (shown.length === 0) {
    const rest = paint(placeholder.slice(1, Math.max(1, width)), { color: theme.text.secondary });
    const first = paint(placeholder.slice(0, 1) || ' ', { color: theme.text.secondary, inverse: isFocused });
    return { line: first + rest, caretColumn: 0 };
  }
  const caret = [...graphemes(textOf(state).slice(0, state.column))].length;
  const start = startFor(shown, caret, width);
  let line = '';
  let columns = 0;
  for (let index = start; index < shown.length + 1; index++) {
    const character = shown[index] ?? ' ';
    columns += textWidth(character);
    if (columns > width) break;
    line += paint(character, { color: theme.text.primary, inverse: isFocused && index === caret });
  }
  return { line: line.trimEnd(), caretColumn: caret - start };
}

/** The first character shown, so that the caret is in sight. */
function startFor(characters: readonly string[], caret: number, width: number): number {
  let start = caret;
  for (let columns = textWidth(characters[caret] ?? ' '); start > 0; start--) {
    columns += textWidth(characters[start - 1] ?? '');
    if (columns > width) break;
  }
  return start;
}
