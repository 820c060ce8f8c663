/** The models behind Code Assist: the Gemini API's requests and answers, each in an envelope. */
import { UserError } from '../../base/errors.js';
import { objectOf } from '../../base/objects.js';
import {
  type ContentGenerator,
  carriesContent,
  type EmbedRequest,
  type GenerateRequest,
  type GenerateResponse,
} from '../content-generator.js';
import { type ApiError, NO_CREDITS } from '../errors/api-error.js';
import { toConnectionError } from '../errors/connection-error.js';
import { type Asked, CODE_ASSIST, errorOf, nameOf, noStreamError } from '../gemini/errors.js';
import { chunksOf } from '../gemini/merge-chunks.js';
import { parsePayload } from '../gemini/parse-chunk.js';
import { RequestWriter } from '../gemini/to-request.js';
import { checkResponse } from '../wire/check-response.js';
import { SseParser } from '../wire/sse.js';
import { type CodeAssistApi, readJson } from './api.js';
import type { CreditAccount } from './credits.js';

const OWN_PROJECT = 'A Google Cloud project of your own has a quota of its own: set GOOGLE_CLOUD_PROJECT.';

export class CodeAssistGenerator implements ContentGenerator {
  /** For the main conversation, which is sent again with every turn. */
  private readonly writer = new RequestWriter();

  constructor(
    private readonly api: CodeAssistApi,
    private readonly user: { project: string; isOwnProject?: boolean },
    private readonly sessionId: string,
    private readonly credits?: CreditAccount,
  ) {}

  async *generateContentStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    const body = this.envelope(request, this.writer);
    const response = await this.api.post('streamGenerateContent?alt=sse', body, signal, request.model);
    const asked = this.asked(request.model);
    try {
      if (response.status !== 200) throw this.noteRefusal(await errorOf(response, asked));
      const contentType = String(response.headers['content-type'] ?? '');
      if (!contentType.includes('event-stream')) throw noStreamError(asked, contentType);
      const parser = new SseParser();
      response.contentArrived();
      for await (const piece of response.body) {
        let hasNews = false;
        for (const chunk of this.openAll(parser.feed(piece), asked)) {
          hasNews ||= carriesContent(chunk);
          yield chunk;
        }
        if (hasNews || parser.isInPayload) response.contentArrived();
      }
      for (const chunk of this.openAll(parser.finish(), asked)) yield chunk;
    } catch (error) {
      // Node reports our own abort as a cut connection.
      signal.throwIfAborted();
      throw toConnectionError(error, nameOf(asked));
    } finally {
      response.dispose();
    }
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const body = this.envelope(request, new RequestWriter());
    const response = await this.api.post('generateContent', body, signal, request.model);
    const answer = await readJson(response, this.asked(request.model));
    return this.openEnvelope(answer) ?? {};
  }

  async countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    const { model, messages, role, promptId } = request;
    const pieces = new RequestWriter().write({ model, messages, role, promptId });
    const head = `{"request":{"model":${JSON.stringify(`models/${model}`)},`;
    const body = enclose(head, pieces, '}');
    const answer = await readJson(await this.api.post('countTokens', body, signal, model), this.asked(model));
    const total =
      typeof answer === 'object' && answer !== null && 'totalTokens' in answer ? answer.totalTokens : 0;
    return { totalTokens: typeof total === 'number' ? total : 0 };
  }

  async embedContent(_request: EmbedRequest, _signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    throw new UserError(
      'There are no embeddings with Google sign-in. Use an API key (GEMINI_API_KEY) for them.',
      { code: 'not_supported' },
    );
  }

  private asked(model: string): Asked {
    const service = this.user.isOwnProject ? CODE_ASSIST : { ...CODE_ASSIST, quota: OWN_PROJECT };
    return { service, model };
  }

  private envelope(request: GenerateRequest, writer: RequestWriter): Buffer[] {
    const { model, promptId } = request;
    const credits = this.credits?.enabledTypes() ?? [];
    const fields = JSON.stringify({
      model,
      project: this.user.project,
      user_prompt_id: promptId,
      ...(credits.length > 0 && { enabled_credit_types: credits }),
    });
    const head = `${fields.slice(0, -1)},"request":{"session_id":${JSON.stringify(this.sessionId)},`;
    return enclose(head, writer.write(request), '}');
  }

  private openAll(payloads: readonly string[], asked: Asked): Iterable<GenerateResponse> {
    return chunksOf(payloads, (payload) => {
      const chunk = this.openEnvelope(parsePayload(payload, asked));
      return chunk ? [chunk] : [];
    });
  }

  private openEnvelope(value: unknown): GenerateResponse | undefined {
    const { response, remainingCredits } = objectOf(value);
    this.credits?.note(remainingCredits);
    return checkResponse(response);
  }

  private noteRefusal(error: ApiError): ApiError {
    if (error.details.some(({ reason }) => reason === NO_CREDITS)) this.credits?.usedUp();
    return error;
  }
}

/** Adds fields to a serialized object without serializing it again. */
function enclose(head: string, [first = Buffer.alloc(0), ...rest]: Buffer[], tail: string): Buffer[] {
  return [Buffer.from(head), first.subarray(1), ...rest, Buffer.from(tail)];
}
