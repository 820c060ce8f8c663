/** Strips `provider/` from model names, as a provider knows only its own names. */
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from '../content-generator.js';

export class OwnNameGenerator implements ContentGenerator {
  /** @param prefix `ollama/` */
  constructor(
    private readonly inner: ContentGenerator,
    private readonly prefix: string,
  ) {}

  generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncIterable<GenerateResponse> {
    return this.inner.generateContentStream(this.renamed(request), signal);
  }

  generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    return this.inner.generateContent(this.renamed(request), signal);
  }

  countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    return this.inner.countTokens(this.renamed(request), signal);
  }

  embedContent(request: EmbedRequest, signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    return this.inner.embedContent(this.renamed(request), signal);
  }

  /** With the prefix, as they are requested here. */
  async listModels(signal: AbortSignal): Promise<string[]> {
    const names = (await this.inner.listModels?.(signal)) ?? [];
    return names.map((name) => this.prefix + name);
  }

  private renamed<T extends { model: string }>(request: T): T {
    if (!request.model.startsWith(this.prefix)) return request;
    return { ...request, model: request.model.slice(this.prefix.length) };
  }
}
