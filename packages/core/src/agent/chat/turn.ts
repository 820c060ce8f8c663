/** One model request: chunks become events, calls become requests for the scheduler. */
import { lookUp } from '../../base/look-up.js';
import type { GenerateResponse } from '../../model/content-generator.js';
import { partsOf } from '../../model/content-generator.js';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { Message, TokenUsage } from '../../protocol/messages.js';
import type { ToolCallRequest } from '../../protocol/tool-calls.js';
import { toErrorInfo } from '../error-info.js';
import { ContentSplice } from './content-splice.js';
import type { ChatEvent, ChatRequest, GeminiChat } from './gemini-chat.js';

export class Turn {
  readonly pendingToolCalls: ToolCallRequest[] = [];
  private readonly citations = new Set<string>();

  constructor(
    private readonly chat: GeminiChat,
    private readonly request: ChatRequest,
    private readonly message: Message,
  ) {}

  async *run(signal: AbortSignal): AsyncGenerator<AgentEventBody> {
    const splice = new ContentSplice();
    for await (const event of this.chat.sendMessageStream(this.message, this.request, signal)) {
      switch (event.type) {
        case 'chunk':
          // `yield*` would make promises of its own for each of them.
          for (const body of this.chunkEvents(event.chunk, splice)) yield body;
          break;
        case 'retry':
          splice.restart();
          yield { ...event, discardsOutput: false };
          break;
        case 'switch':
          splice.restart();
          yield switchWarning(event);
          break;
        case 'aside':
          yield event.event;
          break;
        case 'failed_attempt':
          yield {
            type: 'api_failure',
            model: event.model,
            role: this.request.role,
            latencyMs: event.latencyMs,
            error: toErrorInfo(event.error),
            cause: event.cause,
            errorType: event.errorType,
            attempt: event.attempt,
            isFinal: event.isFinal,
          };
          break;
        case 'answer': {
          const model = event.modelVersion ?? event.model;
          const tail = splice.finish();
          if (tail) yield* discarding(tail);
          // A server that counts nothing has answered all the same.
          const { usage = NO_USAGE, latencyMs } = event;
          yield { type: 'usage', model, role: this.request.role, usage, latencyMs };
          yield* this.callEvents(event.message);
          if (this.citations.size > 0) {
            yield { type: 'citation', text: `Citations:\n${[...this.citations].sort().join('\n')}` };
          }
          if (event.finishReason !== 'STOP') yield earlyEnd(event.finishReason);
          yield { type: 'model_turn_finished', reason: event.finishReason, model };
        }
      }
    }
  }

  /** A list, not a generator: it is made for every chunk. */
  private chunkEvents(chunk: GenerateResponse, splice: ContentSplice): AgentEventBody[] {
    const events: AgentEventBody[] = [];
    for (const citation of chunk.candidates?.[0]?.citationMetadata?.citations ?? []) {
      if (citation.uri)
        this.citations.add(citation.title ? `(${citation.title}) ${citation.uri}` : citation.uri);
    }
    for (const part of partsOf(chunk)) {
      if (part.thought) events.push(thoughtEvent(part.text ?? ''));
      else if (part.text) {
        const next = splice.add(part.text);
        if (next.diverged) events.push(...discarding(next.text));
        else if (next.text) events.push({ type: 'content', text: next.text });
      }
    }
    return events;
  }

  private *callEvents(message: Message): Generator<AgentEventBody> {
    for (const { functionCall } of message.parts) {
      if (!functionCall) continue;
      const request: ToolCallRequest = {
        callId: functionCall.id ?? '',
        name: functionCall.name,
        args: functionCall.args,
        promptId: this.request.promptId,
      };
      this.pendingToolCalls.push(request);
      yield { type: 'tool_requested', request };
    }
  }
}

const NO_USAGE: TokenUsage = { prompt: 0, candidates: 0, cached: 0, thoughts: 0, tool: 0, total: 0 };

/** The repeated answer differs from what was shown: that is void, this takes its place. */
function* discarding(text: string): Generator<AgentEventBody> {
  yield {
    type: 'retry',
    attempt: 0,
    maxAttempts: 0,
    delayMs: 0,
    message: 'The connection broke and the answer starts anew.',
    discardsOutput: true,
  };
  if (text) yield { type: 'content', text };
}

/** The code of the warning that tells of another model taking over. */
const MODEL_SWITCHED = 'model_switched';

function switchWarning({
  from,
  to,
  errorClass,
  reason,
}: Extract<ChatEvent, { type: 'switch' }>): AgentEventBody {
  const message = `${reason} Going on with ${to}.`;
  return { type: 'warning', code: MODEL_SWITCHED, message, from, to, reason: errorClass };
}

/** An answer that has text, but not all of it. */
function earlyEnd(finishReason: string): AgentEventBody {
  const why = lookUp(EARLY_ENDS, finishReason) ?? 'the provider ended it';
  return {
    type: 'warning',
    code: finishReason,
    message: `The answer is not complete: ${why} (finish reason ${finishReason}).`,
  };
}

const EARLY_ENDS: Readonly<Record<string, string>> = {
  MAX_TOKENS: 'it reached the output limit of the model',
  SAFETY: 'the safety filter of the provider stopped it',
  PROHIBITED_CONTENT: 'the safety filter of the provider stopped it',
  RECITATION: 'it repeated protected text',
};

function thoughtEvent(text: string): AgentEventBody {
  const match = /\*\*(.+?)\*\*/s.exec(text);
  if (!match) return { type: 'thought', subject: '', description: text.trim() };
  const description = (text.slice(0, match.index) + text.slice(match.index + match[0].length)).trim();
  return { type: 'thought', subject: (match[1] ?? '').trim(), description };
}
