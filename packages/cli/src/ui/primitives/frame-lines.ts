/** The one box of all dialogs: title in the upper edge, what keys do in the lower one. Words and lines alone for a screen reader. */
import type { Look } from '../look.js';
import { cutText, widthOf } from '../text/columns.js';
import { truncateAnsi } from '../text/wrap.js';
import type { Style } from '../themes/style.js';

export interface FrameText {
  title: string;
  /** Behind the title, e.g. `2 of 3`. */
  note?: string | undefined;
  /** What keys do: `Enter to select`, `Esc to close`. */
  hint?: readonly string[] | undefined;
  tone?: 'focus' | 'warning' | 'error' | undefined;
}

const EDGES = 4;
/** Below this a box leaves no room for what is in it. */
const NARROWEST_BOX = 24;

/** Columns for what stands inside. */
export function innerWidth(look: Look): number {
  return Math.max(1, hasBox(look) ? look.width - EDGES : look.width);
}

/** Rows for what stands inside of a frame of `height` rows. */
export function innerHeight(_look: Look, height: number): number {
  return Math.max(1, height - 2);
}

/** Never more than `height` rows; what does not fit is counted in the last of them. */
export function frameLines(
  look: Look,
  frame: FrameText,
  body: readonly string[],
  height = Number.POSITIVE_INFINITY,
): string[] {
  const width = innerWidth(look);
  // One line that is too wide, and Ink would cut all of them to one.
  const rows = fitted(body, innerHeight(look, height)).map((row) => truncateAnsi(row, width));
  return hasBox(look) ? boxed(look, frame, rows) : plain(look, frame, rows);
}

function hasBox({ screenReader, width }: Look): boolean {
  return !screenReader && width >= NARROWEST_BOX;
}

function fitted(body: readonly string[], rows: number): readonly string[] {
  if (body.length <= rows) return body;
  const hidden = body.length - rows + 1;
  return [...body.slice(0, rows - 1), `… ${hidden} more line${hidden === 1 ? '' : 's'}`];
}

function plain(look: Look, { title, note, hint = [] }: FrameText, rows: readonly string[]): string[] {
  const head = cutText(note ? `${title} (${note})` : title, look.width);
  const foot = hint.length > 0 ? [cutText(hint.join(look.screenReader ? '. ' : ' · '), look.width)] : [];
  return [look.paint(head, { bold: true }), ...rows, ...foot];
}

function boxed(look: Look, frame: FrameText, rows: readonly string[]): string[] {
  const { paint, theme, width } = look;
  const edge: Style = { color: edgeColor(look, frame.tone) };
  const inner = innerWidth(look);
  const side = paint('│', edge);
  const line = (row: string) => `${side} ${row}${' '.repeat(Math.max(0, inner - widthOf(row)))} ${side}`;
  const room = width - 6;
  const title = cutText(frame.note ? `${frame.title} · ${frame.note}` : frame.title, room);
  const hint = fittingHint(frame.hint ?? [], room);
  return [
    paint('╭─ ', edge) +
      paint(title, { color: theme.text.primary, bold: true }) +
      rule(title, '╮', look, edge),
    ...rows.map(line),
    hint
      ? paint('╰─ ', edge) + paint(hint, { color: theme.text.secondary }) + rule(hint, '╯', look, edge)
      : paint(`╰${'─'.repeat(width - 2)}╯`, edge),
  ];
}

function rule(text: string, corner: string, { paint, width }: Look, edge: Style): string {
  return paint(` ${'─'.repeat(Math.max(0, width - 5 - widthOf(text)))}${corner}`, edge);
}

/** Whole hints only: the last ones are the ones to miss. */
function fittingHint(hints: readonly string[], room: number): string {
  let shown = '';
  for (const hint of hints) {
    const longer = shown ? `${shown} · ${hint}` : hint;
    if (widthOf(longer) > room) break;
    shown = longer;
  }
  return shown;
}

function edgeColor({ theme }: Look, tone: FrameText['tone']): string {
  if (tone === 'warning') return theme.status.warning;
  if (tone === 'error') return theme.status.error;
  return theme.ui.focus || theme.border.focused;
}
