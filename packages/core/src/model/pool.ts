/**
 * All models of a session behind one generator: a request goes to the provider in its model's name, which is set
 * up on first use. So a conversation switches models by changing a name.
 */
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from './content-generator.js';
import type { CreatedGenerator } from './create.js';

export interface PoolOptions {
  /** Names with the same key are served by the same generator. */
  keyOf: (model: string) => string;
  open: (model: string) => Promise<CreatedGenerator>;
}

export class ModelPool implements ContentGenerator {
  private readonly ready = new Map<string, CreatedGenerator>();
  private readonly opening = new Map<string, Promise<CreatedGenerator>>();

  constructor(private readonly options: PoolOptions) {}

  /** Sets up a model's provider, if needed. Throws what is missing: a key, an address, a sign-in. */
  async prepare(model: string): Promise<CreatedGenerator> {
    const key = this.options.keyOf(model);
    const known = this.ready.get(key) ?? this.opening.get(key);
    if (known) return known;
    const opening = this.options.open(model);
    this.opening.set(key, opening);
    try {
      const created = await opening;
      this.ready.set(key, created);
      return created;
    } finally {
      // A failed setup may work later: a key is set, a server started.
      this.opening.delete(key);
    }
  }

  generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncIterable<GenerateResponse> {
    const known = this.ready.get(this.options.keyOf(request.model));
    // Once the provider is known, no generator in between: each one costs time with every chunk.
    return known ? known.generator.generateContentStream(request, signal) : this.firstStream(request, signal);
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const { generator } = await this.prepare(request.model);
    return generator.generateContent(request, signal);
  }

  async countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    const { generator } = await this.prepare(request.model);
    return generator.countTokens(request, signal);
  }

  async embedContent(request: EmbedRequest, signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    const { generator } = await this.prepare(request.model);
    return generator.embedContent(request, signal);
  }

  /** The generator that serves `model`. */
  async listModelsOf(model: string, signal: AbortSignal): Promise<string[]> {
    const { generator } = await this.prepare(model);
    return (await generator.listModels?.(signal)) ?? [];
  }

  private async *firstStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    const { generator } = await this.prepare(request.model);
    yield* generator.generateContentStream(request, signal);
  }
}
