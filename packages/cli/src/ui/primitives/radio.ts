/** How a list looks as lines, for dialogs that are not components yet. */
import type { RadioItem, RadioState } from '../components/radio-state.js';
import type { Look } from '../look.js';
import { wrapText } from '../text/columns.js';
import { entryWindow } from './entry-window.js';

export { choose, type RadioState, radioKey } from '../components/radio-state.js';
export type Choice<T> = RadioItem<T>;

export interface RadioLook {
  width: number;
  rows: number;
  hasNumbers?: boolean;
  /** False: the keyboard is elsewhere. */
  isFocused?: boolean;
}

export function radioLines<T>(
  look: Look,
  choices: readonly Choice<T>[],
  { index }: RadioState,
  { width, rows, hasNumbers = true, isFocused = true }: RadioLook,
): string[] {
  const places = String(choices.length).length;
  const draw = (at: number) => {
    const choice = choices[at];
    const number = hasNumbers ? `${String(at + 1).padStart(places)}. ` : '';
    return choice ? entryLines(look, choice, { number, width, isChosen: at === index && isFocused }) : [];
  };
  return entryWindow(look, { count: choices.length, draw }, index, rows);
}

interface EntryLook {
  number: string;
  width: number;
  isChosen: boolean;
}

function entryLines<T>(look: Look, choice: Choice<T>, { number, width, isChosen }: EntryLook): string[] {
  const { paint, theme, screenReader } = look;
  const lead = screenReader ? number : `${isChosen ? '●' : ' '} ${number}`;
  const indent = ' '.repeat(lead.length);
  const why = typeof choice.disabled === 'string' ? ` (${choice.disabled})` : '';
  const said = screenReader
    ? `${choice.disabled && !why ? ', not available' : ''}${isChosen ? ', selected' : ''}`
    : '';
  const color = choice.disabled
    ? theme.text.secondary
    : isChosen
      ? theme.ui.focus || theme.text.accent
      : theme.text.primary;
  const room = Math.max(1, width - lead.length);
  const label = wrapText(`${choice.label}${why}${said}`, room).map((row, at) =>
    paint((at === 0 ? lead : indent) + row, { color, bold: isChosen }),
  );
  const detail = choice.detail ? wrapText(choice.detail, room) : [];
  return [...label, ...detail.map((row) => indent + paint(row, { color: theme.text.secondary }))];
}
