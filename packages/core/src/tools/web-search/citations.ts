/** Puts `[n]` behind the parts of an answer that have sources, and lists the sources. */
import { type GenerateResponse, partsOf } from '../../model/content-generator.js';
import type { UtilityAnswer } from '../../model/utility/utility-model.js';
import { textOf } from '../../protocol/messages.js';

export interface CitedText {
  /** With markers. */
  text: string;
  /** `[n] title (uri)`. */
  sources: string[];
}

export function citeAnswer({ text, response }: UtilityAnswer): CitedText {
  const found = readSources(response);
  const sources = [...found].map(([number, { title, uri }]) => sourceLine(number, title, uri));
  // Offsets count from the start of what the server sent, before anything was trimmed.
  const whole = textOf(partsOf(response)) || text;
  return { text: withMarkers(whole, readMarkers(response, found)).trim(), sources };
}

export function sourceLine(number: number, title: string, uri: string): string {
  const name = title.replace(/\s+/g, ' ').trim();
  return name && name !== uri ? `[${number}] ${name} (${uri})` : `[${number}] ${uri}`;
}

/** The text and, below it, where it comes from. */
export function withSources({ text, sources }: CitedText): string {
  return sources.length === 0 ? text : `${text}\n\nSources:\n${sources.join('\n')}`;
}

interface Source {
  title: string;
  uri: string;
}

/** Sources by the number that is shown, their place in the list from 1. An entry without an address is skipped. */
function readSources(response: GenerateResponse): Map<number, Source> {
  const sources = new Map<number, Source>();
  listOf(metadataOf(response)?.groundingChunks).forEach((chunk, index) => {
    const { uri, title } = chunk?.web ?? {};
    if (typeof uri !== 'string' || !uri) return;
    sources.set(index + 1, { uri, title: typeof title === 'string' ? title : '' });
  });
  return sources;
}

/** Source numbers by the offset, in UTF-8 bytes, at which they are cited. */
function readMarkers(
  response: GenerateResponse,
  sources: ReadonlyMap<number, Source>,
): Map<number, Set<number>> {
  const markers = new Map<number, Set<number>>();
  for (const support of listOf(metadataOf(response)?.groundingSupports)) {
    const end = support?.segment?.endIndex;
    if (!Number.isInteger(end) || end === undefined || end < 0) continue;
    for (const index of listOf(support?.groundingChunkIndices)) {
      if (!sources.has(Number(index) + 1)) continue;
      markers.set(end, (markers.get(end) ?? new Set()).add(Number(index) + 1));
    }
  }
  return markers;
}

function withMarkers(text: string, markers: ReadonlyMap<number, ReadonlySet<number>>): string {
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  let end = bytes.length;
  // From the end, so that the offsets before it stay valid.
  for (const offset of [...markers.keys()].sort((a, b) => b - a)) {
    const at = boundaryAt(bytes, Math.min(offset, end));
    const marks = [...(markers.get(offset) ?? [])].sort((a, b) => a - b).map((number) => `[${number}]`);
    pieces.push(bytes.toString('utf8', at, end), marks.join(''));
    end = at;
  }
  pieces.push(bytes.toString('utf8', 0, end));
  return pieces.reverse().join('');
}

/** Never inside a character. */
function boundaryAt(bytes: Buffer, offset: number): number {
  let at = offset;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}

function metadataOf(response: GenerateResponse) {
  return response.candidates?.[0]?.groundingMetadata;
}

/** Gateways and recordings may send any value in place of a list. */
function listOf<T>(value: readonly T[] | undefined): readonly (T | undefined | null)[] {
  return Array.isArray(value) ? value : [];
}
