/** Converts the events of a streamed message to chunks in the shape of the Gemini API. */
import { lookUp } from '../../base/look-up.js';
import { isObject, objectOf } from '../../base/objects.js';
import type { Part } from '../../protocol/messages.js';
import type { Candidate, GenerateResponse } from '../content-generator.js';
import { packThinking, type Thinking, thinkingBlock } from './signature.js';

type Fields = Record<string, unknown>;

interface OpenBlock {
  raw: Fields;
  /** Text, thinking or JSON as it arrives. */
  pieces: string[];
  /** Thinking that was not emitted yet. */
  unshown: string;
}

/** More arguments than any tool takes; an endless stream must not fill our memory. */
const ARGUMENTS_LIMIT = 32 * 1024 * 1024;

export interface StreamOptions {
  /** The provider that signs the thinking. */
  provider: string;
  /** The declared tool name for a name on the wire. */
  toolName: (wire: string) => string;
}

/**
 * Calls, and everything after one, are held back until the server gives its stop reason: a call of a cut answer must
 * never run.
 */
export class StreamAccumulator {
  /** The server paused and must be asked again, with the message so far. */
  paused = false;
  /** The message so far, for that case. */
  readonly blocks: Fields[] = [];
  private readonly open = new Map<number, OpenBlock>();
  private held: Part[] = [];
  private hasMalformedCall = false;
  private hasEmptyCall = false;
  private isDamaged = false;
  private argumentsSize = 0;
  private thinking: Thinking = { first: [], last: [] };
  private hasTextSinceCall = false;
  private usage: Record<string, number> = {};
  /** Usage of the answers before a pause: each was a request of its own. */
  private spent: Record<string, number> = {};
  /** The prompt's usage goes with the next chunk, because there may be no last one. */
  private hasUntoldCount = false;
  private head: Pick<GenerateResponse, 'modelVersion' | 'responseId'> = {};

  private hasNews = false;

  constructor(private readonly options: StreamOptions) {}

  /** Whether anything but keep-alives was added since the last call. */
  takeNews(): boolean {
    const { hasNews } = this;
    this.hasNews = false;
    return hasNews;
  }

  /** Handles one event; the caller handles `error` events. */
  add(event: Fields): GenerateResponse[] {
    if (carriesContent(event)) this.hasNews = true;
    switch (event['type']) {
      case 'message_start':
        this.start(event['message']);
        return [];
      case 'content_block_start':
        return this.openBlock(event['index'], event['content_block']);
      case 'content_block_delta':
        return this.delta(event['index'], event['delta']);
      case 'content_block_stop':
        return this.closeBlock(event['index']);
      case 'message_delta':
        this.count(event['usage']);
        return this.stop(event['delta']);
      default:
        return [];
    }
  }

  /** The answer continues in another response. */
  resume(): void {
    this.paused = false;
  }

  /** Ends the answer after too many pauses. */
  giveUp(): GenerateResponse[] {
    return this.stop({ stop_reason: 'end_turn' });
  }

  /** An unreadable event may have held a part of a call's arguments, so no call may run. */
  damage(): void {
    this.isDamaged = true;
  }

  /** A whole message, from a server that does not stream. */
  addMessage(message: Fields): GenerateResponse[] {
    this.start(message);
    const content = Array.isArray(message['content']) ? message['content'] : [];
    const chunks = content.flatMap((block, index) => [
      ...this.openBlock(index, block),
      ...this.closeBlock(index),
    ]);
    return [...chunks, ...this.stop(message)];
  }

  private start(message: unknown): void {
    if (!isObject(message)) return;
    const { id, model, usage } = message;
    if (typeof id === 'string') this.head.responseId = id;
    if (typeof model === 'string') this.head.modelVersion = model;
    this.count(usage);
    this.hasUntoldCount = isObject(usage);
  }

  private openBlock(index: unknown, raw: unknown): GenerateResponse[] {
    if (typeof index !== 'number' || !isObject(raw)) return [];
    const { type, text, thinking } = raw;
    const block: OpenBlock = { raw: { ...raw }, pieces: [], unshown: '' };
    this.open.set(index, block);
    this.blocks.push(block.raw);
    if (type === 'text' && typeof text === 'string' && text) return this.text(block, text);
    if (type === 'thinking' && typeof thinking === 'string') return this.think(block, thinking);
    // Calls are held back, but the caller should see that the answer has begun.
    return type === 'tool_use' ? [this.counted({})] : [];
  }

  private delta(index: unknown, delta: unknown): GenerateResponse[] {
    const block = typeof index === 'number' ? this.open.get(index) : undefined;
    if (!block || !isObject(delta)) return [];
    const { type, text, thinking, partial_json: json, signature, citation } = delta;
    if (type === 'text_delta' && typeof text === 'string') return this.text(block, text);
    if (type === 'thinking_delta' && typeof thinking === 'string') return this.think(block, thinking);
    if (type === 'input_json_delta' && typeof json === 'string') this.addArguments(block, json);
    if (type === 'signature_delta' && typeof signature === 'string') {
      const before = block.raw['signature'];
      block.raw['signature'] = (typeof before === 'string' ? before : '') + signature;
    }
    return type === 'citations_delta' ? this.citation(citation) : [];
  }

  private addArguments(block: OpenBlock, json: string): void {
    this.argumentsSize += json.length;
    if (this.argumentsSize > ARGUMENTS_LIMIT) this.isDamaged = true;
    else block.pieces.push(json);
  }

  private closeBlock(index: unknown): GenerateResponse[] {
    const block = typeof index === 'number' ? this.open.get(index) : undefined;
    if (!block || typeof index !== 'number') return [];
    this.open.delete(index);
    switch (block.raw['type']) {
      case 'text':
        block.raw['text'] = block.pieces.join('');
        return [];
      case 'tool_use':
        this.call(block);
        return [];
      case 'thinking':
        block.raw['thinking'] = block.pieces.join('');
        this.keepThinking(block.raw);
        return block.unshown.trim() ? this.emit({ text: block.unshown, thought: true }) : [];
      case 'redacted_thinking':
        this.keepThinking(block.raw);
        return [];
      default:
        if (block.pieces.length > 0) block.raw['input'] = parsed(block.pieces.join('')) ?? {};
        return [];
    }
  }

  private text(block: OpenBlock, text: string): GenerateResponse[] {
    if (!text) return [];
    block.pieces.push(text);
    this.hasTextSinceCall = true;
    return this.emit({ text });
  }

  /** By paragraphs: screens show one thought at a time, and a single word is not one. */
  private think(block: OpenBlock, text: string): GenerateResponse[] {
    block.pieces.push(text);
    block.unshown += text;
    const end = block.unshown.lastIndexOf('\n\n');
    if (end < 0) return [];
    const shown = block.unshown.slice(0, end);
    block.unshown = block.unshown.slice(end + 2);
    return shown.trim() ? this.emit({ text: shown, thought: true }) : [];
  }

  private keepThinking(raw: Fields): void {
    const block = thinkingBlock(raw);
    if (block) this.thinking[this.hasTextSinceCall ? 'last' : 'first'].push(block);
  }

  private call({ raw, pieces }: OpenBlock): void {
    const { id, name, input } = raw;
    const json = pieces.join('');
    const isEmpty = json.trim() === '';
    const args = isEmpty ? objectOf(input) : parsed(json);
    if (!args || typeof name !== 'string' || !name) {
      this.hasMalformedCall = true;
      return;
    }
    raw['input'] = args;
    if (isEmpty && Object.keys(args).length === 0) this.hasEmptyCall = true;
    const signature = packThinking(this.options.provider, this.thinking);
    this.thinking = { first: [], last: [] };
    this.hasTextSinceCall = false;
    this.held.push({
      functionCall: {
        ...(typeof id === 'string' && id && { id }),
        name: this.options.toolName(name),
        args,
      },
      ...(signature && { thoughtSignature: signature }),
    });
  }

  private citation(citation: unknown): GenerateResponse[] {
    if (!isObject(citation) || typeof citation['url'] !== 'string') return [];
    const { url: uri, title } = citation;
    const item = { uri, ...(typeof title === 'string' && { title }) };
    return [{ candidates: [{ index: 0, citationMetadata: { citations: [item] } }] }];
  }

  private stop(delta: unknown): GenerateResponse[] {
    const reason = isObject(delta) ? delta['stop_reason'] : undefined;
    if (typeof reason !== 'string') return [];
    if (reason === 'pause_turn') {
      this.paused = true;
      this.spent = this.total();
      this.usage = {};
      return [];
    }
    const finishReason = this.finishReason(reason);
    const parts = finishReason === 'STOP' || finishReason === 'MAX_TOKENS' ? this.held : [];
    this.held = [];
    const candidate: Candidate = {
      ...(parts.length > 0 && { content: { role: 'model', parts } }),
      finishReason,
      index: 0,
    };
    return [{ candidates: [candidate], usageMetadata: usageOf(this.total()), ...this.head }];
  }

  private finishReason(reason: string): string {
    const known = lookUp(FINISH_REASONS, reason) ?? 'OTHER';
    const hasCall = this.held.some((part) => part.functionCall) || this.hasMalformedCall;
    if (known === 'MAX_TOKENS') {
      // The limit cut the last call. Arguments that never came look like no arguments.
      const isCut = this.hasMalformedCall || this.hasEmptyCall || this.isDamaged || this.open.size > 0;
      if (isCut) this.held = this.held.filter((part) => !part.functionCall);
      return known;
    }
    const isHalf = this.hasMalformedCall || (hasCall && (this.isDamaged || this.open.size > 0));
    return isHalf && known === 'STOP' ? 'MALFORMED_FUNCTION_CALL' : known;
  }

  private count(usage: unknown): void {
    if (!isObject(usage)) return;
    for (const key of USAGE_KEYS) {
      const value = usage[key];
      if (typeof value === 'number' && Number.isFinite(value)) this.usage[key] = value;
    }
  }

  private total(): Record<string, number> {
    const sum = { ...this.spent };
    for (const key of USAGE_KEYS) sum[key] = (sum[key] ?? 0) + (this.usage[key] ?? 0);
    return sum;
  }

  private emit(part: Part): GenerateResponse[] {
    if (this.held.length > 0 && !part.thought) {
      this.held.push(part);
      return [];
    }
    return [this.counted({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] })];
  }

  private counted(chunk: GenerateResponse): GenerateResponse {
    if (!this.hasUntoldCount) return chunk;
    this.hasUntoldCount = false;
    return { ...chunk, usageMetadata: usageOf(this.total()) };
  }
}

const USAGE_KEYS = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
] as const;

const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'STOP',
  stop_sequence: 'STOP',
  tool_use: 'STOP',
  max_tokens: 'MAX_TOKENS',
  model_context_window_exceeded: 'MAX_TOKENS',
  refusal: 'SAFETY',
};

function usageOf(usage: Record<string, number>) {
  const cached = usage['cache_read_input_tokens'] ?? 0;
  const promptTokenCount =
    (usage['input_tokens'] ?? 0) + (usage['cache_creation_input_tokens'] ?? 0) + cached;
  const candidatesTokenCount = usage['output_tokens'] ?? 0;
  return {
    promptTokenCount,
    candidatesTokenCount,
    cachedContentTokenCount: cached,
    totalTokenCount: promptTokenCount + candidatesTokenCount,
  };
}

/** The arguments of a call: an object or nothing. */
function parsed(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** False for `ping` and for empty deltas. */
function carriesContent({ type, delta }: Fields): boolean {
  if (type === 'content_block_delta') {
    if (!isObject(delta)) return false;
    const { text, thinking, partial_json: json, signature, citation } = delta;
    return Boolean(text || thinking || json || signature || citation);
  }
  return ['message_start', 'content_block_start', 'content_block_stop', 'message_delta'].includes(
    String(type),
  );
}
