/** Converts payloads of a streamed (or whole) chat completion to chunks in the shape of the Gemini API. */
import { lookUp } from '../../base/look-up.js';
import { isObject, objectOf } from '../../base/objects.js';
import { createLog } from '../../platform/log.js';
import type { Part } from '../../protocol/messages.js';
import type { FunctionDeclaration } from '../../protocol/tool-declaration.js';
import type { Candidate, GenerateResponse, UsageMetadata } from '../content-generator.js';
import { CallFragments } from './call-fragments.js';
import { originalNames } from './names.js';
import { addDetails, packDetails } from './reasoning-details.js';
import { TextGate } from './text-calls.js';

const log = createLog('model');

type Fields = Record<string, unknown>;

export class ChatAccumulator {
  /** `[DONE]` was received: the stream is over. */
  isDone = false;
  private hasNews = false;
  private readonly fragments = new CallFragments();
  private readonly gate: TextGate;
  private readonly names: Map<string, string>;
  private readonly details: Fields[] = [];
  private finishReason: string | undefined;
  private usage: UsageMetadata | undefined;
  private modelVersion: string | undefined;
  private responseId: string | undefined;
  /** A payload was unreadable: it may have held a part of a call. */
  private isDamaged = false;

  /**
   * @param provider its id
   * @param tools that were declared to the model
   * @param toError makes the error of an error payload
   */
  constructor(
    private readonly provider: string,
    tools: readonly FunctionDeclaration[],
    private readonly toError: (payload: string) => Error,
  ) {
    this.gate = new TextGate(tools);
    this.names = originalNames(tools);
  }

  /** One `data:` payload, or the document of an answer that is not streamed. */
  add(payload: string): GenerateResponse[] {
    if (this.isDone) return [];
    if (payload.trim() === '[DONE]') {
      this.isDone = true;
      return [];
    }
    const value = this.parse(payload);
    if (!value) return [];
    this.noteHead(value);
    const choices = Array.isArray(value['choices']) ? value['choices'] : [];
    const choice = objectOf(choices[0]);
    if (choice['error'] || choice['finish_reason'] === 'error') throw this.toError(payload);
    const hadCalls = !this.fragments.isEmpty;
    const parts = this.partsIn(objectOf(choice['delta'] ?? choice['message']));
    if (typeof choice['finish_reason'] === 'string') {
      this.finishReason = choice['finish_reason'];
      this.hasNews = true;
    }
    const chunk: GenerateResponse = {
      ...(parts.length > 0 && { candidates: [{ content: { role: 'model', parts }, index: 0 }] }),
      // At once: the connection may break before the end, and counted tokens are charged.
      ...(isObject(value['usage']) && { usageMetadata: this.usage }),
    };
    // Calls are held back, but the caller should see that the answer has begun.
    const isNews = Object.keys(chunk).length > 0 || (!hadCalls && !this.fragments.isEmpty);
    return isNews ? [chunk] : [];
  }

  /** Whether anything but keep-alives was added since the last call. */
  takeNews(): boolean {
    const { hasNews } = this;
    this.hasNews = false;
    return hasNews;
  }

  /** After the last payload: the calls, the finish reason and the usage. */
  finish(): GenerateResponse[] {
    const { parts, ...end } = this.ending();
    const candidate: Candidate = {
      ...(parts.length > 0 && { content: { role: 'model', parts } }),
      ...end,
      index: 0,
    };
    return [
      {
        candidates: [candidate],
        ...(this.usage && { usageMetadata: this.usage }),
        ...(this.modelVersion && { modelVersion: this.modelVersion }),
        ...(this.responseId && { responseId: this.responseId }),
      },
    ];
  }

  private parse(payload: string): Fields | undefined {
    let value: unknown;
    try {
      value = JSON.parse(payload);
    } catch {
      value = undefined;
    }
    if (!isObject(value)) {
      log.warn('invalid_chunk', { length: payload.length });
      this.isDamaged = true;
      return undefined;
    }
    if (value['error'] || value['object'] === 'error') throw this.toError(payload);
    return value;
  }

  private noteHead({ id, model, usage }: Fields): void {
    if (typeof id === 'string' && id) this.responseId = id;
    if (typeof model === 'string' && model) this.modelVersion = model;
    if (isObject(usage)) this.usage = toUsage(usage);
  }

  private partsIn(delta: Fields): Part[] {
    const parts: Part[] = [];
    const thought = textIn(delta['reasoning_content']) || textIn(delta['reasoning']);
    if (thought) parts.push({ text: thought, thought: true });
    const details = Array.isArray(delta['reasoning_details']) ? delta['reasoning_details'] : [];
    addDetails(this.details, details);
    const said = textIn(delta['content']) || textIn(delta['refusal']);
    const text = this.gate.add(said);
    if (text) parts.push({ text });
    const calls = Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : [];
    for (const call of calls) this.fragments.add(objectOf(call));
    // Also for held text: the arguments of a call may take minutes.
    if (thought || said || details.length > 0 || calls.length > 0 || delta['function_call'])
      this.hasNews = true;
    // The older field for a single call.
    if (delta['function_call']) this.fragments.add({ index: 0, function: delta['function_call'] });
    return parts;
  }

  private ending(): Pick<Candidate, 'finishReason' | 'finishMessage'> & { parts: Part[] } {
    const reason = this.reason();
    if (!this.fragments.isEmpty) {
      const text = this.gate.release();
      const before: Part[] = text ? [{ text }] : [];
      if (!reason || reason === 'SAFETY') return { parts: before, finishReason: reason };
      const calls = this.wholeCalls(reason);
      return calls
        ? { parts: [...before, ...calls], finishReason: reason }
        : { parts: before, ...malformed(reason) };
    }
    const written = reason === 'STOP' && !this.isDamaged ? this.gate.calls() : undefined;
    if (written) {
      const parts = written.map((call, index) => ({
        functionCall: { id: this.idFor(call.name, index), ...call },
      }));
      return { parts, finishReason: reason };
    }
    const text = this.gate.release();
    return { parts: text ? [{ text }] : [], ...(reason && { finishReason: reason }) };
  }

  private wholeCalls(reason: string): Part[] | undefined {
    if (this.isDamaged || (reason === 'MAX_TOKENS' && this.fragments.endsWithoutArguments()))
      return undefined;
    const calls = this.fragments.finish(
      (name, index) => this.idFor(name, index),
      (name) => this.names.get(name) ?? name,
    );
    const thoughtSignature = packDetails(this.provider, this.details);
    return calls?.map((functionCall, index) =>
      index === 0 && thoughtSignature ? { functionCall, thoughtSignature } : { functionCall },
    );
  }

  private idFor(name: string, index: number): string {
    const answer = this.responseId?.replace(/\W/g, '').slice(-12);
    return answer ? `${name}_${answer}_${index}` : `${name}_${index}`;
  }

  /** Undefined: the answer was cut. */
  private reason(): string | undefined {
    if (this.finishReason === undefined) return this.isDone ? 'STOP' : undefined;
    return lookUp(FINISH_REASONS, this.finishReason) ?? 'STOP';
  }
}

const FINISH_REASONS: Readonly<Record<string, string>> = {
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

function malformed(reason: string): Pick<Candidate, 'finishReason' | 'finishMessage'> {
  const why =
    reason === 'MAX_TOKENS' ? 'It was cut by the output limit.' : 'Its arguments are not valid JSON.';
  return {
    finishReason: 'MALFORMED_FUNCTION_CALL',
    finishMessage: `The model's tool call is incomplete. ${why}`,
  };
}

/** A string, or a list of text pieces. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((piece) => textIn(objectOf(piece)['text'])).join('');
}

function toUsage(raw: Fields): UsageMetadata {
  const prompt = count(raw['prompt_tokens']);
  const completion = count(raw['completion_tokens']);
  const cached = count(objectOf(raw['prompt_tokens_details'])['cached_tokens']);
  const reasoning = count(objectOf(raw['completion_tokens_details'])['reasoning_tokens']);
  // Reasoning is included in the completion count; if there is more of it, the server counts it separately.
  const candidates = reasoning <= completion ? completion - reasoning : completion;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: count(raw['total_tokens']) || prompt + candidates + reasoning,
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
