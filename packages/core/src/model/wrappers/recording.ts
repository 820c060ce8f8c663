/** Appends every finished model call to a file that `--fake-responses` can replay. */
import { appendFileSync } from 'node:fs';
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from '../content-generator.js';

export class RecordingGenerator implements ContentGenerator {
  constructor(
    private readonly inner: ContentGenerator,
    private readonly path: string,
  ) {}

  async *generateContentStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    const chunks: GenerateResponse[] = [];
    for await (const chunk of this.inner.generateContentStream(request, signal)) {
      chunks.push(essence(chunk));
      yield chunk;
    }
    this.append('generateContentStream', chunks);
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const response = await this.inner.generateContent(request, signal);
    this.append('generateContent', essence(response));
    return response;
  }

  async countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    const response = await this.inner.countTokens(request, signal);
    this.append('countTokens', response);
    return response;
  }

  async embedContent(request: EmbedRequest, signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    const response = await this.inner.embedContent(request, signal);
    this.append('embedContent', response);
    return response;
  }

  private append(method: string, response: unknown): void {
    appendFileSync(this.path, `${JSON.stringify({ method, response })}\n`, { mode: 0o600 });
  }
}

function essence({ candidates, usageMetadata }: GenerateResponse): GenerateResponse {
  return { ...(candidates && { candidates }), ...(usageMetadata && { usageMetadata }) };
}
