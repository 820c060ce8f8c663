/** Wraps a model and records every attempt of every caller. Sits between the retries and the provider. */
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from '../../model/content-generator.js';
import { ModelCall, type ModelObservation } from './model-call.js';

export class ObservedGenerator implements ContentGenerator {
  constructor(
    private readonly inner: ContentGenerator,
    private readonly observation: ModelObservation,
  ) {}

  async *generateContentStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    const call = new ModelCall(request, this.observation);
    try {
      for await (const chunk of this.inner.generateContentStream(request, signal)) {
        call.add(chunk);
        yield chunk;
      }
      call.succeed();
    } catch (error) {
      if (!signal.aborted) call.fail(error);
      throw error;
    } finally {
      call.abandon();
    }
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const call = new ModelCall(request, this.observation);
    try {
      const response = await this.inner.generateContent(request, signal);
      call.add(response);
      call.succeed();
      return response;
    } catch (error) {
      if (!signal.aborted) call.fail(error);
      throw error;
    } finally {
      call.abandon();
    }
  }

  countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    return this.inner.countTokens(request, signal);
  }

  embedContent(request: EmbedRequest, signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    return this.inner.embedContent(request, signal);
  }

  async listModels(signal: AbortSignal): Promise<string[]> {
    return (await this.inner.listModels?.(signal)) ?? [];
  }
}
