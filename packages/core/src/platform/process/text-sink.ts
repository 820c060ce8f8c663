/** Collects a command's output and turns it into text for the model and for the screen. */
import { cleanTerminalText } from '../../base/ansi.js';
import type { AnsiOutput } from '../../protocol/tool-display.js';
import { decodeOutput, withoutCutStart } from './shell-text.js';
import { TailBuffer } from './tail-buffer.js';

export interface OutputSink {
  push(chunk: Buffer): void;
  /** Bytes not processed yet; the caller should stop pushing while there are many. */
  readonly backlog: number;
  /** Resolves when all pushed bytes have been processed. */
  settle(): Promise<void>;
  /** The whole output, for the model. */
  text(): Promise<string>;
  /** The latest output, for the screen. */
  live(): string | AnsiOutput;
  /** The end of the output as styled lines; only from a terminal. */
  grid(): AnsiOutput | undefined;
  resize(columns: number, rows: number): void;
  /** Frees the memory; the sink must not be used afterwards. */
  release(): void;
}

export const KEPT_BYTES = 16 * 1024 * 1024;
const LIVE_CHARACTERS = 100_000;

/** Bytes from a pipe. */
export class TextSink implements OutputSink {
  private readonly tail = new TailBuffer(KEPT_BYTES);
  readonly backlog = 0;

  push(chunk: Buffer): void {
    this.tail.push(chunk);
  }

  async settle(): Promise<void> {}

  text(): Promise<string> {
    return textOf(this.tail, (bytes) => bytes);
  }

  live(): string {
    return liveTextOf(this.tail, (bytes) => bytes);
  }

  grid(): undefined {
    return undefined;
  }

  resize(): void {}

  release(): void {
    this.tail.clear();
  }
}

type Filter = (bytes: Buffer) => Buffer;

/** Starts with a note when bytes at the start were dropped. */
export async function textOf(tail: TailBuffer, filter: Filter): Promise<string> {
  const kept = tail.tail();
  const text = cleanTerminalText(await decodeOutput(filter(tail.isCut ? withoutCutStart(kept) : kept)));
  return tail.isCut ? `${cutMarker(tail.total - kept.length)}\n${text}` : text;
}

export function cutMarker(dropped: number): string {
  return `[Output cut: ${dropped} bytes at the start were dropped, the last 16 MB follow.]`;
}

export function liveTextOf(tail: TailBuffer, filter: Filter): string {
  // A UTF-8 character has at most four bytes.
  const bytes = filter(withoutCutStart(tail.tail(LIVE_CHARACTERS * 4)));
  const text = cleanTerminalText(bytes.toString('utf8'));
  return lastCharacters(text, LIVE_CHARACTERS);
}

export function lastCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const start = text.length - count;
  const splitsPair = text.charCodeAt(start) >= 0xdc00 && text.charCodeAt(start) <= 0xdfff;
  return text.slice(splitsPair ? start + 1 : start);
}
