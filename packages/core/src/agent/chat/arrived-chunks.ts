/**
 * For a slow reader of a stream: it gets everything that has arrived since it last asked as one chunk. The stream itself is
 * not read ahead, so a fast server has to wait and memory stays flat.
 */
import { type Candidate, type GenerateResponse, partsOf } from '../../model/content-generator.js';
import type { Part } from '../../protocol/messages.js';

/** More than a connection buffers; the limit keeps one chunk small if a server is always faster than we are. */
const MAX_JOINED = 512;

type Next = IteratorResult<GenerateResponse>;

export async function* arrivedTogether(
  chunks: AsyncIterable<GenerateResponse>,
): AsyncGenerator<GenerateResponse> {
  const iterator = chunks[Symbol.asyncIterator]();
  let pending: Promise<Next> | undefined;
  try {
    for (;;) {
      const first = await (pending ?? iterator.next());
      pending = undefined;
      if (first.done) return;
      const group = [first.value];
      let isLast = false;
      while (group.length < MAX_JOINED && !isLast) {
        pending = iterator.next();
        const next = await ifArrived(pending);
        if (!next) break;
        pending = undefined;
        if (next.done) isLast = true;
        else group.push(next.value);
      }
      yield joinChunks(group);
      if (isLast) return;
    }
  } finally {
    // Not awaited: a generator answers this only after the `next` it is busy with.
    void iterator.return?.()?.catch(() => undefined);
  }
}

/** What has arrived already; undefined: nothing yet. A failure is left for the next read, after what came before it. */
async function ifArrived(next: Promise<Next>): Promise<Next | undefined> {
  let arrived: Next | undefined;
  next.then(
    (result) => {
      arrived = result;
    },
    () => undefined,
  );
  // Two rounds of the event loop: one to read the socket, one for what that sets off.
  for (let round = 0; round < 2 && !arrived; round++) await new Promise((resolve) => setImmediate(resolve));
  return arrived;
}

/** Texts are joined, calls kept; the last finish reason and counts hold. */
export function joinChunks(chunks: readonly GenerateResponse[]): GenerateResponse {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const joined: GenerateResponse = Object.assign({}, ...chunks);
  const candidates = chunks.flatMap(({ candidates: [candidate] = [] }) => candidate ?? []);
  if (candidates.length === 0) return joined;
  const candidate: Candidate = Object.assign({}, ...candidates);
  const citations = candidates.flatMap(({ citationMetadata }) => citationMetadata?.citations ?? []);
  return {
    ...joined,
    candidates: [
      {
        ...candidate,
        ...(citations.length > 0 && { citationMetadata: { citations } }),
        content: { role: 'model', parts: joinParts(chunks.flatMap(partsOf)) },
      },
    ],
  };
}

function joinParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  let texts: string[] = [];
  const flush = () => {
    if (texts.length > 0) joined.push({ text: texts.join('') });
    texts = [];
  };
  for (const part of parts) {
    if (isPlainText(part)) {
      texts.push(part.text);
      continue;
    }
    flush();
    joined.push(part);
  }
  flush();
  return joined;
}

function isPlainText(part: Part): part is { text: string } {
  return part.text !== undefined && !part.thought && part.thoughtSignature === undefined;
}
