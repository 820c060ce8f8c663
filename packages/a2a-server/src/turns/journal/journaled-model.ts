/** Stands before the model of an engine: an answer that the journal has is given again, any other is kept. */
import { randomUUID } from 'node:crypto';
import type { ContentGenerator } from '@gemini-cli/core';
import type { RequestJournal } from './request-journal.js';

type Request = Parameters<ContentGenerator['generateContentStream']>[0];
type Chunk = ReturnType<ContentGenerator['generateContentStream']> extends AsyncIterable<infer T> ? T : never;

export class JournaledModel implements ContentGenerator {
  /** Answers that arrived whole. */
  private answers = 0;
  private journal: RequestJournal | undefined;

  constructor(private readonly inner: ContentGenerator) {
    if (inner.listModels) this.listModels = (signal) => inner.listModels?.(signal) ?? Promise.resolve([]);
  }

  listModels?: (signal: AbortSignal) => Promise<string[]>;

  /** A new request of the user begins. */
  use(journal: RequestJournal | undefined): void {
    this.journal = journal;
    this.answers = 0;
  }

  async *generateContentStream(request: Request, signal: AbortSignal): AsyncGenerator<Chunk> {
    const { journal } = this;
    // Small calls beside the conversation may be made again; those of a sub-agent belong to a tool call.
    if (!journal || request.role !== 'main') {
      yield* this.inner.generateContentStream(request, signal);
      return;
    }
    const key = `model:${this.answers + 1}`;
    const known = journal.find(key);
    if (known !== undefined) {
      this.answers++;
      yield* structuredClone(known) as Chunk[];
      return;
    }
    const chunks: Chunk[] = [];
    for await (const chunk of this.inner.generateContentStream(request, signal)) {
      nameCalls(chunk);
      keep(chunks, chunk);
      yield chunk;
    }
    journal.writeLater(key, chunks);
    this.answers++;
  }

  generateContent(request: Request, signal: AbortSignal): ReturnType<ContentGenerator['generateContent']> {
    return this.inner.generateContent(request, signal);
  }

  countTokens(request: Request, signal: AbortSignal): ReturnType<ContentGenerator['countTokens']> {
    return this.inner.countTokens(request, signal);
  }

  embedContent(
    request: Parameters<ContentGenerator['embedContent']>[0],
    signal: AbortSignal,
  ): ReturnType<ContentGenerator['embedContent']> {
    return this.inner.embedContent(request, signal);
  }
}

/** The engine would name a call by the clock; the journal needs the same name again. */
function nameCalls(chunk: Chunk): void {
  for (const { functionCall } of chunk.candidates?.[0]?.content?.parts ?? []) {
    if (functionCall) functionCall.id ||= `${functionCall.name || 'unnamed_tool'}_${randomUUID()}`;
  }
}

/** Neighbouring pieces of text are kept as one. */
function keep(chunks: Chunk[], chunk: Chunk): void {
  const text = onlyText(chunk);
  const last = chunks.at(-1);
  const before = last && onlyText(last);
  if (text && before && text.thought === before.thought) before.text += text.text;
  else chunks.push(structuredClone(chunk));
}

function onlyText({ candidates, ...others }: Chunk): { text: string; thought?: boolean } | undefined {
  const [candidate, second] = candidates ?? [];
  if (!candidate || second || Object.keys(others).some((name) => !SAME_IN_ALL.has(name))) return undefined;
  const { content, index: _, ...rest } = candidate;
  const [part, another] = content?.parts ?? [];
  if (!part || another || part.text === undefined || Object.values(rest).some(Boolean)) return undefined;
  const isPlain = Object.keys(part).every((name) => name === 'text' || name === 'thought');
  return isPlain ? (part as { text: string; thought?: boolean }) : undefined;
}

const SAME_IN_ALL: ReadonlySet<string> = new Set(['modelVersion', 'responseId']);
