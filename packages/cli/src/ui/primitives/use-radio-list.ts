/** A list that holds its own place. The dialog hands it the keys it wants to hand it. */
import { useEffect, useRef } from 'react';
import { firstIndex } from '../components/radio-state.js';
import type { Key } from '../keys/key.js';
import type { Look } from '../look.js';
import { useLook } from '../use-look.js';
import { type Choice, choose, type RadioLook, type RadioState, radioKey, radioLines } from './radio.js';
import { useLiveState } from './use-live-state.js';

export interface RadioListOptions<T> {
  choices: readonly Choice<T>[];
  /** Marked at first; the first that can be chosen if there is no such value. */
  initial?: T | undefined;
  onSelect(value: T, index: number): void;
  onHighlight?(value: T): void;
  hasNumbers?: boolean;
}

export interface RadioList<T> {
  index: number;
  value: T | undefined;
  handle(key: Key): boolean;
  moveTo(index: number): void;
  lines(box: Omit<RadioLook, 'hasNumbers'>): string[];
}

/** So long a second digit is waited for. */
const DIGIT_WAIT_MS = 700;

export function useRadioList<T>(options: RadioListOptions<T>): RadioList<T> {
  const look: Look = useLook();
  const { choices, initial, hasNumbers = true } = options;
  const state = useLiveState<RadioState>(() => ({ index: firstIndex(choices, initial), typed: '' }));
  const latest = useRef(options);
  latest.current = options;
  const timer = useRef<NodeJS.Timeout | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const index = Math.min(state.now.index, Math.max(0, choices.length - 1));

  const apply = (next: RadioState, chosen: boolean) => {
    clearTimeout(timer.current);
    const { choices, onSelect, onHighlight } = latest.current;
    const isMoved = next.index !== state.now.index;
    state.set(next);
    const choice = choices[next.index];
    if (!choice) return;
    if (isMoved) onHighlight?.(choice.value);
    if (chosen) onSelect(choice.value, next.index);
    else if (next.typed) timer.current = setTimeout(confirmTyped, DIGIT_WAIT_MS);
  };
  const confirmTyped = () => {
    const step = choose(state.now, latest.current.choices);
    apply(step.state, step.chosen);
  };
  return {
    index,
    value: choices[index]?.value,
    handle(key) {
      const { choices } = latest.current;
      const now = { ...state.now, index: Math.min(state.now.index, Math.max(0, choices.length - 1)) };
      const step = radioKey(now, key, choices, hasNumbers);
      if (!step) return false;
      apply(step.state, step.chosen);
      return true;
    },
    moveTo: (target) => apply({ index: target, typed: '' }, false),
    lines: (box) => radioLines(look, choices, { index, typed: '' }, { ...box, hasNumbers }),
  };
}
