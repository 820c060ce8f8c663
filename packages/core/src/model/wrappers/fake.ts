/** A model that answers what a test told it to, and remembers what it was asked. */
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from '../content-generator.js';
import { ApiError } from '../errors/api-error.js';

/**
 * One answer: a text; calls of tools; the chunks of a response, in the shape of the Gemini REST API; an error to fail
 * with; or a function of the request that returns one of these.
 */
export type FakeAnswer =
  | string
  | { calls: readonly { name: string; args: Record<string, unknown> }[]; text?: string }
  | readonly GenerateResponse[]
  | Error
  | ((request: GenerateRequest) => FakeAnswer);

export class FakeModel implements ContentGenerator {
  /** Every request so far, oldest first. */
  readonly requests: GenerateRequest[] = [];
  private readonly answers: FakeAnswer[];

  /** @param answers one per request, in order; a request past the last one fails */
  constructor(answers: readonly FakeAnswer[]) {
    this.answers = [...answers];
  }

  async *generateContentStream(request: GenerateRequest): AsyncGenerator<GenerateResponse> {
    yield* this.next(request);
  }

  /** The chunks of a streamed answer as one response. */
  async generateContent(request: GenerateRequest): Promise<GenerateResponse> {
    const chunks = this.next(request);
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    const last = chunks.at(-1) ?? {};
    return { ...last, candidates: [{ ...last.candidates?.[0], content: { role: 'model', parts } }] };
  }

  /** An estimate: four characters are one token. */
  async countTokens(request: GenerateRequest): Promise<{ totalTokens: number }> {
    return { totalTokens: Math.ceil(JSON.stringify(request.messages).length / 4) };
  }

  async embedContent({ texts }: EmbedRequest): Promise<{ embeddings: number[][] }> {
    return { embeddings: texts.map((text) => [text.length]) };
  }

  private next(request: GenerateRequest): readonly GenerateResponse[] {
    // The history grows while the agent works; the test wants the request as it was sent.
    this.requests.push({ ...request, messages: [...request.messages] });
    const answer = this.answers.shift();
    if (answer === undefined) {
      const count = this.requests.length;
      throw new ApiError(400, `The fake model has no answer for request ${count}.`);
    }
    return chunksOf(answer, request);
  }
}

function chunksOf(answer: FakeAnswer, request: GenerateRequest): readonly GenerateResponse[] {
  if (typeof answer === 'function') return chunksOf(answer(request), request);
  if (answer instanceof Error) throw answer;
  if (typeof answer === 'string') return chunksOf({ calls: [], text: answer }, request);
  if (!('calls' in answer)) return answer;
  const { calls, text } = answer;
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ name, args }) => ({ functionCall: { name, args } })),
  ];
  return [{ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }];
}
