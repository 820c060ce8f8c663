/** A list of which one entry is chosen, as data: where the mark is, and what a key does to it. */
import type { ReactNode } from 'react';
import { isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import { letterOf } from '../keys/key-scope.js';

export interface RadioItem<T> {
  value: T;
  label: string;
  /** Below the label, dim. */
  detail?: string | undefined;
  /** One row between label and detail. */
  extra?: ReactNode;
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

type Entries = readonly Pick<RadioItem<unknown>, 'disabled'>[];

/** Undefined: the key means nothing to a list. */
export function radioKey(
  state: RadioState,
  key: Key,
  items: Entries,
  hasNumbers = true,
): RadioStep | undefined {
  if (items.length === 0) return undefined;
  const digit = hasNumbers && /^\d$/.test(letterOf(key)) ? letterOf(key) : '';
  if (digit) return typeDigit(state, digit, items);
  if (isCommand(key, 'basic.confirm')) return choose(state, items);
  const step = stepOf(key, items.length);
  return step === 0
    ? undefined
    : { state: { index: moved(state.index, step, items), typed: '' }, chosen: false };
}

/** Digits stand for a number once no longer one can be meant. */
export function choose({ index, typed }: RadioState, items: Entries): RadioStep {
  const target = typed ? Number(typed) - 1 : index;
  const entry = items[target];
  if (!entry || entry.disabled) return { state: { index, typed: '' }, chosen: false };
  return { state: { index: target, typed: '' }, chosen: true };
}

function typeDigit(state: RadioState, digit: string, items: Entries): RadioStep {
  const typed = state.typed + digit;
  const number = Number(typed);
  if (number === 0 || number > items.length) return { state: { ...state, typed: '' }, chosen: false };
  if (number * 10 > items.length) return choose({ ...state, typed }, items);
  const index = items[number - 1]?.disabled ? state.index : number - 1;
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
function moved(index: number, step: number, items: Entries): number {
  const { length } = items;
  const direction = Math.sign(step);
  const isJump = Math.abs(step) > 1;
  let target = isJump ? Math.min(length - 1, Math.max(0, index + step)) : (index + step + length) % length;
  for (let tries = 0; tries < length; tries++) {
    if (!items[target]?.disabled) return target;
    target = (target + direction + length) % length;
  }
  return index;
}

/** Where the mark stands at first. */
export function firstIndex<T>(items: readonly RadioItem<T>[], initial: T | undefined): number {
  const wanted = initial === undefined ? -1 : items.findIndex(({ value }) => value === initial);
  if (wanted >= 0 && !items[wanted]?.disabled) return wanted;
  return Math.max(
    0,
    items.findIndex(({ disabled }) => !disabled),
  );
}
