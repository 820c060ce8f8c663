/** A composer for tests: takes bytes, returns the text with the cursor. */
import { KeyParser } from '../keys/parse.js';
import type { ComposerOptions } from './composer-options.js';
import { type ComposerStore, createComposer } from './composer-store.js';
import { moveTo, offsetOf, positionOfOffset, textOf } from './text-buffer.js';

export interface Typing {
  store: ComposerStore;
  /** The text with `|` for the cursor. */
  shown(): string;
  /** Sends each piece as a separate read. @returns what `handle` returned for the last key */
  type(...pieces: string[]): boolean;
  sent: string[];
  advance(ms: number): void;
}

export function typing(options: Partial<ComposerOptions> = {}, start = '|'): Typing {
  let time = 0;
  const sent: string[] = [];
  const store = createComposer({
    now: () => time,
    onSubmit: (text, { isShellMode }) => {
      sent.push(isShellMode ? `!${text}` : text);
      return true;
    },
    ...options,
  });
  if (start !== '|') {
    store.setText(start.replace('|', ''));
    const { buffer } = store.getState();
    const placed = moveTo(buffer, positionOfOffset(buffer, start.indexOf('|')));
    store.dispatch({ type: 'put', buffer: { ...placed, undo: [] } });
  }
  const parser = new KeyParser({ platform: 'linux' });
  return {
    store,
    sent,
    shown() {
      const { buffer } = store.getState();
      const text = textOf(buffer);
      const cursor = offsetOf(buffer, buffer);
      return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
    },
    type(...pieces) {
      let isTaken = false;
      for (const piece of pieces) {
        for (const event of [...parser.feed(piece), ...parser.flush()]) isTaken = store.handle(event);
        time += 1;
      }
      return isTaken;
    },
    advance(ms) {
      time += ms;
    },
  };
}
