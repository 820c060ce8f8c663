/** Browses earlier prompts with Up and Down; the draft is the last entry. */
import { bufferOf, type TextBuffer, textOf } from './text-buffer.js';

export interface Browsing {
  /** Oldest first, as of the start of browsing. */
  entries: readonly string[];
  /** `entries.length` is the draft. */
  index: number;
  draft: TextBuffer;
}

/** @param entries only used when browsing starts @returns undefined at the end of the list */
export function browse(
  browsing: Browsing | undefined,
  buffer: TextBuffer,
  step: -1 | 1,
  entries: readonly string[],
): { browsing: Browsing | undefined; buffer: TextBuffer } | undefined {
  const current = browsing ?? { entries: withoutText(entries, textOf(buffer)), index: -1, draft: buffer };
  const from = browsing ? current.index : current.entries.length;
  const index = from + step;
  if (index < 0 || index > current.entries.length) return undefined;
  if (index === current.entries.length) {
    return browsing ? { browsing: undefined, buffer: current.draft } : undefined;
  }
  return {
    browsing: { ...current, index },
    buffer: bufferOf(current.entries[index] ?? '', step < 0 ? 'start' : 'end'),
  };
}

/** Skips the newest entry when it equals the current text. */
function withoutText(entries: readonly string[], text: string): readonly string[] {
  return text !== '' && entries.at(-1) === text ? entries.slice(0, -1) : entries;
}
