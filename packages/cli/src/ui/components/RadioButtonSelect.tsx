/** A list of which the user takes one entry, by arrows and Enter or by its number. */
import { useState } from 'react';
import type { Key } from '../keys/key.js';
import type { Look } from '../look.js';
import { useLook } from '../use-look.js';
import { entryRows, ListEntry, type ListEntryProps } from './ListEntry.js';
import { ListWindow } from './ListWindow.js';
import { choose, firstIndex, type RadioItem, type RadioState, radioKey } from './radio-state.js';
import { useDialogKeys } from './use-dialog-keys.js';
import { useTimeout } from './use-timeout.js';

export type { RadioItem } from './radio-state.js';

export interface RadioButtonSelectProps<T> {
  items: readonly RadioItem<T>[];
  /** Marked at first; the first that can be chosen if there is no such value. */
  initial?: T | undefined;
  onSelect(value: T): void;
  onHighlight?: ((value: T) => void) | undefined;
  /** Asked before the list's own keys, with the marked value. */
  onKey?: ((key: Key, value: T | undefined) => boolean) | undefined;
  /** False: the keyboard is elsewhere, and nothing is marked. */
  isFocused?: boolean;
  /** False: keys are ignored while the dialog is busy. */
  isActive?: boolean;
  showNumbers?: boolean;
  rows?: number | undefined;
}

/** So long a second digit is waited for. */
const DIGIT_WAIT_MS = 700;

export function RadioButtonSelect<T>(props: RadioButtonSelectProps<T>) {
  const { items, initial, onKey, isFocused = true, isActive = true, showNumbers = true, rows } = props;
  const look = useLook();
  const [state, setState] = useState<RadioState>(() => ({ index: firstIndex(items, initial), typed: '' }));
  const index = Math.min(state.index, Math.max(0, items.length - 1));
  const take = (next: RadioState, isChosen: boolean) => {
    setState(next);
    const item = items[next.index];
    if (!item) return;
    if (next.index !== index) props.onHighlight?.(item.value);
    if (isChosen) props.onSelect(item.value);
  };
  useDialogKeys(
    {
      onKey: (key) => {
        if (onKey?.(key, items[index]?.value)) return true;
        const step = radioKey({ ...state, index }, key, items, showNumbers);
        if (step) take(step.state, step.chosen);
        return step !== undefined;
      },
    },
    isFocused && isActive,
  );
  useTimeout(state.typed, DIGIT_WAIT_MS, () => {
    const step = choose(state, items);
    take(step.state, step.chosen);
  });
  const digits = String(items.length).length;
  const entry = (at: number) =>
    entryOf(look, items[at], {
      number: showNumbers ? `${String(at + 1).padStart(digits)}. ` : '',
      isChosen: at === index && isFocused,
    });
  return (
    <ListWindow
      count={items.length}
      rowsOf={(at) => entryRows(entry(at), look.width)}
      index={index}
      rows={rows}
    >
      {(at) => <ListEntry {...entry(at)} />}
    </ListWindow>
  );
}

function entryOf<T>(
  { screenReader }: Look,
  item: RadioItem<T> | undefined,
  { number, isChosen }: { number: string; isChosen: boolean },
): ListEntryProps {
  const { label = '', detail, extra, disabled = false } = item ?? {};
  const why = typeof disabled === 'string' ? ` (${disabled})` : '';
  const said = screenReader
    ? `${disabled && !why ? ', not available' : ''}${isChosen ? ', selected' : ''}`
    : '';
  return {
    lead: screenReader ? number : `${isChosen ? '●' : ' '} ${number}`,
    label: `${label}${why}${said}`,
    detail,
    extra,
    isChosen,
    isDisabled: disabled !== false,
  };
}
