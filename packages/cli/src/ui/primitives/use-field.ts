/** A text field that holds its own text. The dialog hands it the keys it wants to hand it. */
import type { Key } from '../keys/key.js';
import { useLook } from '../use-look.js';
import {
  type FieldLook,
  type FieldState,
  fieldKey,
  fieldLine,
  fieldOf,
  insertText,
  textOf,
} from './field.js';
import { useLiveState } from './use-live-state.js';

export interface Field {
  readonly text: string;
  set(text: string): void;
  handle(key: Key): boolean;
  paste(text: string): void;
  draw(box: FieldLook): { line: string; caretColumn: number };
}

export function useField(initial = '', onChange?: (text: string) => void): Field {
  const look = useLook();
  const state = useLiveState<FieldState>(() => fieldOf(initial));
  const update = (next: FieldState) => {
    const isChanged = textOf(next) !== textOf(state.now);
    state.set(next);
    if (isChanged) onChange?.(textOf(next));
  };
  return {
    get text() {
      return textOf(state.now);
    },
    set: (text) => update(fieldOf(text)),
    handle(key) {
      const next = fieldKey(state.now, key);
      if (next) update(next);
      return next !== undefined;
    },
    paste: (text) => update(insertText(state.now, text)),
    draw: (box) => fieldLine(look, state.now, box),
  };
}
