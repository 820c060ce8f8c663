/** Redacts secrets in a recorded answer, also those split across chunks. */
import type { Part } from '../../protocol/messages.js';
import type { GenerateResponse } from '../content-generator.js';

/** See platform/redaction/redact.ts. */
export interface RecordingRedactor {
  redactValue<T>(value: T): T;
  stream(): TextStream;
}

interface TextStream {
  push(chunk: string): string;
  end(): string;
}

/** The same chunks; text that may begin a secret moves to the next chunk of its kind. */
export function redactChunks(
  chunks: readonly GenerateResponse[],
  redactor: RecordingRedactor,
): GenerateResponse[] {
  const texts = new Texts(redactor);
  const masked = chunks.map((chunk) => ({
    ...chunk,
    ...(chunk.candidates && {
      candidates: chunk.candidates.map((candidate, index) => {
        const { content } = candidate;
        if (!content?.parts) return candidate;
        return {
          ...candidate,
          content: { ...content, parts: content.parts.map((part) => texts.add(part, index)) },
        };
      }),
    }),
  }));
  texts.end();
  return redactor.redactValue(masked);
}

/** Answer and thoughts of each candidate are separate texts. */
class Texts {
  private readonly open = new Map<string, { stream: TextStream; last: Part }>();

  constructor(private readonly redactor: RecordingRedactor) {}

  add(part: Part, candidate: number): Part {
    if (part.text === undefined) return part;
    const kind = `${candidate} ${part.thought === true}`;
    const stream = this.open.get(kind)?.stream ?? this.redactor.stream();
    const last: Part = { ...part, text: stream.push(part.text) };
    this.open.set(kind, { stream, last });
    return last;
  }

  /** Held text goes to the last part of its kind. */
  end(): void {
    for (const { stream, last } of this.open.values()) last.text = `${last.text ?? ''}${stream.end()}`;
  }
}
