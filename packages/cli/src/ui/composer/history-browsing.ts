/** Going through earlier prompts with Up and Down; the draft is kept at the end of the list. */
import { bufferOf, type TextBuffer, textOf } from './text-buffer.js';

export interface Browsing {
  /** Oldest first, as they were when browsing began. */
  entries: readonly string[];
  /** `entries.length` is the draft. */
  index: number;
  draft: TextBuffer;
}

/** @param entries only looked at when browsing begins @returns undefined: there is no entry in this direction */
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

/** The newest entry may be what stands in the input already. */
function withoutText(entries: readonly string[], text: string): readonly string[] {
  return text !== '' && entries.at(-1) === text ? entries.slice(0, -1) : entries;
}
