/** Our model requests and answers in the stable form for hooks. */
import {
  type Candidate,
  type GenerateRequest,
  type GenerateResponse,
  partsOf,
} from '../../model/content-generator.js';
import { type Message, type Part, textOf } from '../../protocol/messages.js';
import type { LLMCandidate, LLMFinishReason, LLMRequest, LLMResponse } from '../llm-types.js';

const CONFIG_KEYS = [
  'temperature',
  'maxOutputTokens',
  'topP',
  'topK',
  'stopSequences',
  'candidateCount',
  'presencePenalty',
  'frequencyPenalty',
] as const;

/** Made once per request: the hooks of a stream get it with every chunk. */
const known = new WeakMap<GenerateRequest, LLMRequest>();

export function toLLMRequest(request: GenerateRequest): LLMRequest {
  let made = known.get(request);
  if (!made) {
    made = makeRequest(request);
    known.set(request, made);
  }
  return made;
}

function makeRequest({ model, messages, settings = {}, toolChoice }: GenerateRequest): LLMRequest {
  const config = Object.fromEntries(
    CONFIG_KEYS.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]]])),
  );
  return {
    model,
    messages: messages.filter(hasText).map(({ role, parts }) => ({ role, content: textOf(parts) })),
    ...(Object.keys(config).length > 0 && { config }),
    ...(toolChoice && { toolConfig: { ...toolChoice } }),
  };
}

export function hasText({ parts }: Pick<Message, 'parts'>): boolean {
  return parts.some(isText);
}

export function isText(part: Part): part is Part & { text: string } {
  return part.text !== undefined && part.text !== '' && !part.thought;
}

export function toLLMResponse(response: GenerateResponse): LLMResponse {
  const text = textOf(partsOf(response));
  const { promptTokenCount, candidatesTokenCount, totalTokenCount } = response.usageMetadata ?? {};
  const usage = {
    ...(promptTokenCount !== undefined && { promptTokenCount }),
    ...(candidatesTokenCount !== undefined && { candidatesTokenCount }),
    ...(totalTokenCount !== undefined && { totalTokenCount }),
  };
  return {
    ...(text !== '' && { text }),
    candidates: (response.candidates ?? []).map(toLLMCandidate),
    ...(Object.keys(usage).length > 0 && { usageMetadata: usage }),
  };
}

function toLLMCandidate(candidate: Candidate & { safetyRatings?: unknown }): LLMCandidate {
  const { content, finishReason, index, safetyRatings } = candidate;
  const parts = (content?.parts ?? []).filter(isText).map(({ text }) => text);
  return {
    content: { role: 'model', parts },
    ...(finishReason !== undefined && { finishReason: stableReason(finishReason) }),
    ...(index !== undefined && { index }),
    ...(Array.isArray(safetyRatings) && { safetyRatings }),
  };
}

const REASONS: readonly LLMFinishReason[] = ['STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION'];

function stableReason(reason: string): LLMFinishReason {
  return REASONS.find((stable) => stable === reason) ?? 'OTHER';
}
