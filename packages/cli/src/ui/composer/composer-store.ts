/** Holds the input box's state outside of React, so that no key is lost before or during a slow frame. */
import type { InputEvent } from '../keys/key.js';
import { ComposerKeys } from './composer-keys.js';
import type { ComposerOptions } from './composer-options.js';
import {
  type ComposerAction,
  type ComposerState,
  initialComposer,
  reduceComposer,
} from './composer-state.js';
import { cleanText, fullTextOf, isEmptyText, offsetOf, textOf } from './text-buffer.js';

export interface ComposerStore {
  /** The same object until something changes. */
  getState(): ComposerState;
  subscribe(listener: () => void): () => void;
  dispatch(action: ComposerAction): void;
  /** Returns true when the composer used the key. */
  handle(event: InputEvent): boolean;
  setText(text: string, cursor?: 'start' | 'end'): void;
  /** The text as it would be sent. */
  text(): string;
  clear(): void;
  isEmpty(): boolean;
  /** A paste from the clipboard or the terminal, with references and labels made of it. */
  paste(text: string): void;
  /** @param reference as sent, with its `@` */
  insertImage(reference: string, fileName: string): void;
}

export function createComposer(options: ComposerOptions): ComposerStore {
  const listeners = new Set<() => void>();
  let state = initialComposer(options);

  const dispatch = (action: ComposerAction): void => {
    const before = state;
    state = reduceComposer(state, action);
    if (state === before) return;
    if (state.isShellMode !== before.isShellMode) options.onShellMode?.(state.isShellMode);
    if (state.vim && state.vim.mode !== before.vim?.mode) options.onVimMode?.(state.vim.mode);
    for (const listener of [...listeners]) listener();
    complete(before);
  };
  const complete = (before: ComposerState): void => {
    const { buffer } = state;
    const { completer } = options;
    const isSame =
      buffer.lines === before.buffer.lines &&
      buffer.row === before.buffer.row &&
      buffer.column === before.buffer.column;
    if (!completer || (isSame && state.search === before.search)) return;
    // Neither a search nor a recalled prompt gets completions.
    if (state.search || state.browsing) completer.close();
    else completer.update(textOf(buffer), offsetOf(buffer, buffer));
  };
  const keys = new ComposerKeys(options, () => state, dispatch);
  const paste = (text: string): void => {
    const clean = cleanText(text);
    const prepared = state.isShellMode || state.search ? clean : (options.preparePaste?.(clean) ?? clean);
    if (prepared !== '') dispatch({ type: 'paste', text: prepared });
    keys.pasted();
  };

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispatch,
    handle(event: InputEvent): boolean {
      if (event.kind === 'key') return keys.handle(event);
      if (event.kind !== 'paste') return false;
      paste(event.text);
      return true;
    },
    setText: (text, cursor = 'end') => dispatch({ type: 'setText', text, cursor }),
    text: () => fullTextOf(state.buffer),
    clear: () => dispatch({ type: 'clear' }),
    isEmpty: () => isEmptyText(state.buffer),
    paste,
    insertImage: (reference, fileName) => dispatch({ type: 'image', reference, fileName }),
  };
}
