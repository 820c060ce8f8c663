/** The built-in guide: answers by rules instead of a language model, and drives the real tools. */
import { UserError } from '../../base/errors.js';
import type { Part } from '../../protocol/messages.js';
import {
  type ContentGenerator,
  type EmbedRequest,
  type GenerateRequest,
  type GenerateResponse,
  partsOf,
} from '../content-generator.js';
import { readConversation } from './conversation.js';
import { parseIntents } from './intents.js';
import { nextMove } from './plan.js';
import { estimateRequest, estimateTokens } from './tokens.js';

const MODEL = 'offline';

export class OfflineGuide implements ContentGenerator {
  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const parts: Part[] = [];
    let last: GenerateResponse = {};
    for await (const chunk of this.generateContentStream(request, signal)) {
      parts.push(...partsOf(chunk));
      last = chunk;
    }
    const text = parts.map((part) => part.text ?? '').join('');
    const calls = parts.filter((part) => part.functionCall);
    const whole = text === '' ? calls : [{ text }, ...calls];
    return {
      ...last,
      candidates: [{ content: { role: 'model', parts: whole }, finishReason: 'STOP', index: 0 }],
    };
  }

  async *generateContentStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    signal.throwIfAborted();
    const pieces = await piecesFor(request);
    const promptTokenCount = estimateRequest(request);
    let candidatesTokenCount = 0;
    for (const [index, parts] of pieces.entries()) {
      signal.throwIfAborted();
      candidatesTokenCount += estimateTokens(parts.map((part) => part.text ?? JSON.stringify(part)).join(''));
      const isLast = index === pieces.length - 1;
      yield {
        candidates: [
          { content: { role: 'model', parts }, index: 0, ...(isLast ? { finishReason: 'STOP' } : {}) },
        ],
        modelVersion: MODEL,
        usageMetadata: {
          promptTokenCount,
          candidatesTokenCount,
          totalTokenCount: promptTokenCount + candidatesTokenCount,
        },
      };
    }
  }

  async countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    signal.throwIfAborted();
    return { totalTokens: estimateRequest(request) };
  }

  async embedContent(_request: EmbedRequest, _signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    throw new UserError(
      'The offline guide is not a language model and has no embeddings. Use a Gemini model with GEMINI_API_KEY.',
      { code: 'offline_no_embeddings' },
    );
  }
}

/** The answer as the pieces to stream: the parts of one chunk each. */
async function piecesFor(request: GenerateRequest): Promise<Part[][]> {
  if (request.role === 'utility_next_speaker') {
    const verdict = { reasoning: 'The offline guide always finishes its answer.', next_speaker: 'user' };
    return [[{ text: JSON.stringify(verdict) }]];
  }
  if (request.role.startsWith('utility_')) throw cannotServe(request.role);
  const { prompt, earlierPrompts, results } = readConversation(request.messages);
  const { intents, notUnderstood } = parseIntents(prompt, earlierPrompts);
  const offered = new Set(request.tools?.map((tool) => tool.name));
  const move = await nextMove({
    intents,
    notUnderstood,
    results,
    tools: { has: (name) => offered.has(name) },
  });
  if ('calls' in move) return [move.calls.map((call) => ({ functionCall: call }))];
  return paragraphs(move.text).map((text) => [{ text }]);
}

/** Summaries, checks and corrections need judgement; callers continue without them. */
function cannotServe(role: string): UserError {
  return new UserError(
    `The offline guide is not a language model and cannot do this (${role}). Use a Gemini model with GEMINI_API_KEY.`,
    { code: 'offline_no_model' },
  );
}

function paragraphs(text: string): string[] {
  return text.split(/(?<=\n\n)/);
}
