/** The models behind Code Assist: the Gemini API's requests and answers, each in an envelope. */
import { AgentError } from '../../base/errors.js';
import { ApiError } from '../api-error.js';
import { checkResponse } from '../check-response.js';
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from '../content-generator.js';
import { errorOf } from '../gemini/from-stream.js';
import { mergeChunks } from '../gemini/merge-chunks.js';
import { parsePayload } from '../gemini/parse-chunk.js';
import { RequestWriter } from '../gemini/to-request.js';
import { SseParser } from '../sse.js';
import { type CodeAssistApi, readJson } from './api.js';

export class CodeAssistGenerator implements ContentGenerator {
  /** Of the main conversation, which is sent again and again. */
  private readonly writer = new RequestWriter();

  constructor(
    private readonly api: CodeAssistApi,
    private readonly user: { project: string },
    private readonly sessionId: string,
  ) {}

  async *generateContentStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    const body = this.envelope(request, this.writer);
    const response = await this.api.post('streamGenerateContent?alt=sse', body, signal, request.model);
    try {
      if (response.status !== 200) throw await errorOf(response);
      requireStream(String(response.headers['content-type'] ?? ''));
      const parser = new SseParser();
      for await (const piece of response.body) {
        for (const chunk of openAll(parser.feed(piece))) yield chunk;
      }
      for (const chunk of openAll(parser.finish())) yield chunk;
    } catch (error) {
      // Node reports our own abort as a cut connection.
      signal.throwIfAborted();
      throw error;
    } finally {
      response.dispose();
    }
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const body = this.envelope(request, new RequestWriter());
    const answer = await readJson(await this.api.post('generateContent', body, signal, request.model));
    return openEnvelope(answer) ?? {};
  }

  async countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    const { model, messages, role, promptId } = request;
    const pieces = new RequestWriter().write({ model, messages, role, promptId });
    const head = `{"request":{"model":${JSON.stringify(`models/${model}`)},`;
    const body = enclose(head, pieces, '}');
    const answer = await readJson(await this.api.post('countTokens', body, signal, model));
    const total =
      typeof answer === 'object' && answer !== null && 'totalTokens' in answer ? answer.totalTokens : 0;
    return { totalTokens: typeof total === 'number' ? total : 0 };
  }

  async embedContent(_request: EmbedRequest, _signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    throw new AgentError('not_supported', {
      addressee: 'user',
      message: 'There are no embeddings with Google sign-in. Use an API key (GEMINI_API_KEY) for them.',
    });
  }

  private envelope(request: GenerateRequest, writer: RequestWriter): Buffer[] {
    const { model, promptId } = request;
    const fields = JSON.stringify({ model, project: this.user.project, user_prompt_id: promptId });
    const head = `${fields.slice(0, -1)},"request":{"session_id":${JSON.stringify(this.sessionId)},`;
    return enclose(head, writer.write(request), '}');
  }
}

/** Puts more fields before those of a written object, without writing it again. */
function enclose(head: string, [first = Buffer.alloc(0), ...rest]: Buffer[], tail: string): Buffer[] {
  return [Buffer.from(head), first.subarray(1), ...rest, Buffer.from(tail)];
}

function requireStream(contentType: string): void {
  if (contentType.includes('event-stream')) return;
  const kind = contentType || 'no content type';
  throw new ApiError(
    0,
    `The server did not answer with a model stream but with ${kind}. Check CODE_ASSIST_ENDPOINT.`,
  );
}

function openAll(payloads: readonly string[]): GenerateResponse[] {
  return mergeChunks(payloads.flatMap((payload) => openEnvelope(parsePayload(payload)) ?? []));
}

function openEnvelope(value: unknown): GenerateResponse | undefined {
  const inner =
    typeof value === 'object' && value !== null && 'response' in value ? value.response : undefined;
  return checkResponse(inner);
}
