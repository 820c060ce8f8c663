/** Checks the budget before every model call and records the tokens that the server counted. */
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
  UsageMetadata,
} from '../content-generator.js';
import type { Ledger } from '../ledger.js';
import { toUsage } from '../usage.js';

/** Throws when a call to this model may not be made. */
export type CallGuard = (model: string) => void;

export class LedgerGenerator implements ContentGenerator {
  /** The last request of a conversation, for `/chat debug`. */
  lastRequest: GenerateRequest | undefined;

  constructor(
    private readonly inner: ContentGenerator,
    private readonly ledger: Pick<Ledger, 'add'>,
    private readonly guard: CallGuard,
  ) {}

  generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncIterable<GenerateResponse> {
    return new CountedStream(
      () => {
        this.guard(request.model);
        if (request.role === 'main') this.lastRequest = request;
        return this.inner.generateContentStream(request, signal)[Symbol.asyncIterator]();
      },
      (usage) => this.enter(request, usage),
    );
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    this.guard(request.model);
    const response = await this.inner.generateContent(request, signal);
    this.enter(request, response.usageMetadata);
    return response;
  }

  countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    return this.inner.countTokens(request, signal);
  }

  embedContent(request: EmbedRequest, signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    return this.inner.embedContent(request, signal);
  }

  private enter({ model, role, agent }: GenerateRequest, usage: UsageMetadata = {}): void {
    this.ledger.add({ model, role, ...(agent !== undefined && { agent }), usage: toUsage(usage) });
  }
}

/**
 * Observes the chunks. Not a generator: the reader gets the promises of the inner stream unchanged, so that
 * observing does not delay a chunk.
 */
class CountedStream implements AsyncIterableIterator<GenerateResponse> {
  private chunks: AsyncIterator<GenerateResponse> | undefined;
  private usage: UsageMetadata | undefined;
  private isOver = false;

  constructor(
    private readonly open: () => AsyncIterator<GenerateResponse>,
    private readonly enter: (usage: UsageMetadata | undefined) => void,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<GenerateResponse>> {
    let result: Promise<IteratorResult<GenerateResponse>>;
    try {
      this.chunks ??= this.open();
      result = this.chunks.next();
    } catch (error) {
      return Promise.reject(error);
    }
    // Attached first, so it runs before the reader continues; failures are the reader's to handle.
    result.then(this.see, this.breakOff);
    return result;
  }

  async return(): Promise<IteratorResult<GenerateResponse>> {
    this.breakOff();
    await this.chunks?.return?.();
    return { done: true, value: undefined };
  }

  private readonly see = (result: IteratorResult<GenerateResponse>): void => {
    if (result.done) this.finish();
    else if (result.value.usageMetadata) this.usage = result.value.usageMetadata;
  };

  /** Stopped, aborted or broken: tokens counted so far are charged; a refused call is free. */
  private readonly breakOff = (): void => {
    if (this.usage) this.finish();
  };

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.enter(this.usage);
  }
}
