/** Converts script steps to events of the Anthropic Messages API, and to the message they add up to. */
import { type Chunk, DEFAULT_USAGE, type Step, type UsageCounts } from './model-script.js';

/** A thought with its signature, which the server expects back. */
export function thinking(text: string, signature: string): Step {
  return { do: 'parts', parts: [{ text, thought: true, thoughtSignature: signature }] };
}

/** An encrypted thought. */
export function redactedThinking(data: string): Step {
  return { do: 'parts', parts: [{ redactedThinking: data }] };
}

/** A call whose arguments are sent in exactly these pieces, valid or not. */
export function callInPieces(name: string, pieces: string[], id = 'toolu_pieces'): Step {
  return { do: 'parts', parts: [{ functionCall: { id, name }, jsonPieces: pieces }] };
}

/** An HTTP error as this API words it. */
export function anthropicError(
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): Step {
  const body = JSON.stringify({ type: 'error', error: { type, message } });
  return { do: 'respond', status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** HTTP 200 whose stream contains an error event. */
export function anthropicErrorEvent(type: string, message: string): Step {
  return { do: 'chunk', chunk: { type: 'error', error: { type, message } } };
}

export function encodeAnthropicEvent(event: Chunk): Buffer {
  return Buffer.from(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** The events of one message; counts blocks and calls on the way. */
export class AnthropicEvents {
  readonly content: Chunk[] = [];
  stopReason: string | undefined;
  usage: UsageCounts = DEFAULT_USAGE;
  private hasCall = false;

  constructor(
    private readonly model: string,
    private readonly id: string,
  ) {}

  start(): Chunk[] {
    return [
      { type: 'message_start', message: this.message([], null, { output_tokens: 1 }) },
      { type: 'ping' },
    ];
  }

  part(part: Chunk): Chunk[] {
    const { text, thought, thoughtSignature: signature, redactedThinking: data } = part;
    if (data !== undefined) return this.block({ type: 'redacted_thinking', data }, []);
    if (thought) {
      const full = { type: 'thinking', thinking: String(text), signature };
      return this.block(full, [
        ...inPieces(String(text)).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        ...(signature === undefined ? [] : [{ type: 'signature_delta', signature }]),
      ]);
    }
    if (typeof text === 'string') {
      return this.block({ type: 'text', text }, [{ type: 'text_delta', text }]);
    }
    return this.call(part);
  }

  end(): Chunk[] {
    return [
      {
        type: 'message_delta',
        delta: { stop_reason: this.reason(), stop_sequence: null },
        usage: { output_tokens: this.usage.candidatesTokenCount ?? 0 },
      },
      { type: 'message_stop' },
    ];
  }

  whole(): Chunk {
    return this.message(this.content, this.reason(), {
      output_tokens: this.usage.candidatesTokenCount ?? 0,
    });
  }

  private call(part: Chunk): Chunk[] {
    this.hasCall = true;
    const { id, name, args } = part['functionCall'] as { id?: string; name: string; args?: unknown };
    const json = args === undefined || isEmptyObject(args) ? '' : JSON.stringify(args);
    const pieces = (part['jsonPieces'] as string[] | undefined) ?? inPieces(json);
    const head = { type: 'tool_use', id: id ?? `toolu_${this.id}_${this.content.length}`, name };
    return this.block(
      { ...head, input: args ?? {} },
      pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    );
  }

  private block(full: Chunk, deltas: Chunk[]): Chunk[] {
    const index = this.content.push(full) - 1;
    return [
      { type: 'content_block_start', index, content_block: emptied(full) },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
  }

  private reason(): string {
    return this.stopReason ?? (this.hasCall ? 'tool_use' : 'end_turn');
  }

  private message(content: Chunk[], stop: string | null, counts: Chunk): Chunk {
    const { promptTokenCount = 0, cachedContentTokenCount = 0 } = this.usage;
    return {
      id: `msg_${this.id}`,
      type: 'message',
      role: 'assistant',
      model: this.model,
      content,
      stop_reason: stop,
      usage: {
        input_tokens: promptTokenCount - cachedContentTokenCount,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: cachedContentTokenCount,
        ...counts,
      },
    };
  }
}

/** A block as it starts, before its deltas. */
function emptied(block: Chunk): Chunk {
  switch (block['type']) {
    case 'text':
      return { ...block, text: '' };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
    default:
      return block;
  }
}

/** Uneven pieces, as the real server sends them. */
function inPieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [];
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
