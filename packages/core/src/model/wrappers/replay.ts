/** Recorded model responses, one JSON object per line: `--fake-responses`. */
import { readFileSync } from 'node:fs';
import { FatalInputError, messageOf } from '../../base/errors.js';
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from '../content-generator.js';
import { ApiError } from '../errors/api-error.js';
import { checkResponse } from '../wire/check-response.js';

interface CannedEntry {
  method: string;
  response: unknown;
}

export class ReplayGenerator implements ContentGenerator {
  private readonly entries: CannedEntry[];

  /** @param strict every call takes the next entry; else the first remaining one of its method */
  constructor(
    path: string,
    private readonly strict: boolean,
  ) {
    this.entries = readEntries(path);
  }

  async *generateContentStream(request: GenerateRequest): AsyncGenerator<GenerateResponse> {
    const response = this.take('generateContentStream', request);
    const chunks = Array.isArray(response) ? response : [response];
    yield* chunks.flatMap((chunk) => checkResponse(chunk) ?? []);
  }

  async generateContent(request: GenerateRequest): Promise<GenerateResponse> {
    return checkResponse(this.take('generateContent', request)) ?? {};
  }

  async countTokens(request: GenerateRequest): Promise<{ totalTokens: number }> {
    return this.take('countTokens', request) as { totalTokens: number };
  }

  async embedContent(request: EmbedRequest): Promise<{ embeddings: number[][] }> {
    return this.take('embedContent', request) as { embeddings: number[][] };
  }

  private take(method: string, request: unknown): unknown {
    const index = this.strict ? 0 : this.entries.findIndex((entry) => entry.method === method);
    const entry = index < 0 ? undefined : this.entries.splice(index, 1)[0];
    if (!entry) {
      throw new ApiError(
        400,
        `No more mock responses for ${method}, got request: ${JSON.stringify(request)}`,
      );
    }
    if (entry.method !== method) {
      throw new ApiError(400, `The next mock response is for ${entry.method}, but ${method} was called.`);
    }
    return entry.response;
  }
}

function readEntries(path: string): CannedEntry[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (cause) {
    throw new FatalInputError(`Cannot read the canned responses in ${path}: ${messageOf(cause)}`, cause);
  }
  return text.split('\n').flatMap((line, index) => {
    if (!line.trim()) return [];
    try {
      const entry = JSON.parse(line) as Partial<CannedEntry>;
      if (typeof entry.method !== 'string') throw new Error('"method" is missing');
      return [{ method: entry.method, response: entry.response }];
    } catch (cause) {
      throw new FatalInputError(`${path}:${index + 1}: not a canned response (${messageOf(cause)})`, cause);
    }
  });
}
