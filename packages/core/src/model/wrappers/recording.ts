/** Appends every finished model call to a file that `--fake-responses` can replay. */
import { appendFileSync } from 'node:fs';
import { FatalInputError, messageOf } from '../../base/errors.js';
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from '../content-generator.js';
import { type RecordingRedactor, redactChunks } from './redact-recording.js';

export class RecordingGenerator implements ContentGenerator {
  constructor(
    private readonly inner: ContentGenerator,
    private readonly path: string,
    /** Keeps secrets out of the file. */
    private readonly redactor?: RecordingRedactor,
  ) {
    // Report an unwritable file before the model is asked.
    this.write('');
  }

  async *generateContentStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    const chunks: GenerateResponse[] = [];
    for await (const chunk of this.inner.generateContentStream(request, signal)) {
      chunks.push(essence(chunk));
      yield chunk;
    }
    this.append('generateContentStream', this.redactor ? redactChunks(chunks, this.redactor) : chunks);
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
    const masked = this.redactor ? this.redactor.redactValue(response) : response;
    this.write(`${JSON.stringify({ method, response: masked })}\n`);
  }

  private write(text: string): void {
    try {
      appendFileSync(this.path, text, { mode: 0o600 });
    } catch (cause) {
      throw new FatalInputError(`Cannot record answers in ${this.path}: ${messageOf(cause)}`, cause);
    }
  }
}

function essence({ candidates, usageMetadata }: GenerateResponse): GenerateResponse {
  return { ...(candidates && { candidates }), ...(usageMetadata && { usageMetadata }) };
}
