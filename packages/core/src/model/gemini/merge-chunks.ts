/**
 * Joins chunks of plain text that arrived together. A fast server sends hundreds of tiny ones in one packet;
 * handling them one by one costs more than the network does. Slow chunks are passed on as they come.
 */
import type { GenerateResponse } from '../content-generator.js';

export function mergeChunks(chunks: readonly GenerateResponse[]): GenerateResponse[] {
  const merged: GenerateResponse[] = [];
  let texts: string[] = [];
  let open: GenerateResponse | undefined;
  const close = () => {
    if (open && texts.length > 1) setText(open, texts.join(''));
    open = undefined;
  };
  for (const chunk of chunks) {
    const text = plainText(chunk);
    if (text === undefined) {
      close();
      merged.push(chunk);
    } else if (open) {
      texts.push(text);
      if (chunk.usageMetadata) open.usageMetadata = chunk.usageMetadata;
    } else {
      open = chunk;
      texts = [text];
      merged.push(chunk);
    }
  }
  close();
  return merged;
}

/** The chunks of payloads that arrived together; if one fails, those before it are kept. */
export function* chunksOf(
  payloads: readonly string[],
  read: (payload: string) => readonly GenerateResponse[],
): Generator<GenerateResponse> {
  const chunks: GenerateResponse[] = [];
  let failure: { error: unknown } | undefined;
  try {
    for (const payload of payloads) for (const chunk of read(payload)) chunks.push(chunk);
  } catch (error) {
    failure = { error };
  }
  yield* mergeChunks(chunks);
  if (failure) throw failure.error;
}

/** The text of a chunk that carries nothing else. */
function plainText(chunk: GenerateResponse): string | undefined {
  const candidate = chunk.candidates?.length === 1 ? chunk.candidates[0] : undefined;
  if (!candidate || candidate.finishReason || candidate.citationMetadata || candidate.groundingMetadata)
    return undefined;
  const part = candidate.content?.parts?.length === 1 ? candidate.content.parts[0] : undefined;
  if (typeof part?.text !== 'string') return undefined;
  for (const key in part) if (key !== 'text') return undefined;
  return chunk.promptFeedback ? undefined : part.text;
}

function setText(chunk: GenerateResponse, text: string): void {
  const part = chunk.candidates?.[0]?.content?.parts?.[0];
  if (part) part.text = text;
}
