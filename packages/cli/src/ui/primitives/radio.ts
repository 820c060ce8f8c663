/** A list of which one entry is chosen, as data: where the mark is, what a key does to it, how it looks. */
import { isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import type { Look } from '../look.js';
import { wrapText } from '../text/columns.js';
import { entryWindow } from './entry-window.js';
import { letterOf } from './use-dialog-input.js';

export interface Choice<T> {
  value: T;
  label: string;
  /** Below the label, dim. */
  detail?: string | undefined;
  /** Why it cannot be chosen now; shown behind the label. */
  disabled?: string | boolean | undefined;
}

export interface RadioState {
  index: number;
  /** Digits typed so far, where more may follow. */
  typed: string;
}

export interface RadioStep {
  state: RadioState;
  /** The entry at `state.index` is the answer. */
  chosen: boolean;
}

type Entries = readonly Pick<Choice<unknown>, 'disabled'>[];

/** Undefined: the key means nothing to a list. */
export function radioKey(
  state: RadioState,
  key: Key,
  choices: Entries,
  hasNumbers = true,
): RadioStep | undefined {
  if (choices.length === 0) return undefined;
  const digit = hasNumbers && /^\d$/.test(letterOf(key)) ? letterOf(key) : '';
  if (digit) return typeDigit(state, digit, choices);
  if (isCommand(key, 'basic.confirm')) return choose(state, choices);
  const step = stepOf(key, choices.length);
  return step === 0
    ? undefined
    : { state: { index: moved(state.index, step, choices), typed: '' }, chosen: false };
}

/** Digits stand for a number once no longer one can be meant. */
export function choose({ index, typed }: RadioState, choices: Entries): RadioStep {
  const target = typed ? Number(typed) - 1 : index;
  const entry = choices[target];
  if (!entry || entry.disabled) return { state: { index, typed: '' }, chosen: false };
  return { state: { index: target, typed: '' }, chosen: true };
}

function typeDigit(state: RadioState, digit: string, choices: Entries): RadioStep {
  const typed = state.typed + digit;
  const number = Number(typed);
  if (number === 0 || number > choices.length) return { state: { ...state, typed: '' }, chosen: false };
  if (number * 10 > choices.length) return choose({ ...state, typed }, choices);
  const index = choices[number - 1]?.disabled ? state.index : number - 1;
  return { state: { index, typed }, chosen: false };
}

const PAGE = 8;

function stepOf(key: Key, count: number): number {
  if (isCommand(key, 'nav.dialog.up')) return -1;
  if (isCommand(key, 'nav.dialog.down')) return 1;
  if (isCommand(key, 'scroll.pageUp')) return -PAGE;
  if (isCommand(key, 'scroll.pageDown')) return PAGE;
  if (isCommand(key, 'scroll.home')) return -count;
  if (isCommand(key, 'scroll.end')) return count;
  return 0;
}

/** One step goes round; a jump stops at the ends. Entries that cannot be chosen are passed. */
function moved(index: number, step: number, choices: Entries): number {
  const { length } = choices;
  const direction = Math.sign(step);
  const isJump = Math.abs(step) > 1;
  let target = isJump ? Math.min(length - 1, Math.max(0, index + step)) : (index + step + length) % length;
  for (let tries = 0; tries < length; tries++) {
    if (!choices[target]?.disabled) return target;
    target = (target + direction + length) % length;
  }
  return index;
}

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
