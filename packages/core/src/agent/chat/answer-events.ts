/** What one model turn says, as events: chunks while they stream, the rest once the answer is accepted. */
import { lookUp } from '../../base/look-up.js';
import { type GenerateResponse, partsOf } from '../../model/content-generator.js';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { Message, TokenUsage } from '../../protocol/messages.js';
import { ContentSplice } from './content-splice.js';

export interface AcceptedAnswer {
  message: Message;
  /** As the server names it. */
  model: string;
  role: string;
  promptId: string;
  finishReason: string;
  usage: TokenUsage | undefined;
  latencyMs: number;
}

/** Lives as long as the turn, over all its tries. */
export class AnswerEvents {
  private readonly splice = new ContentSplice();
  private readonly citations = new Set<string>();

  /** A list, not a generator: it is made for every chunk. */
  ofChunk(chunk: GenerateResponse): AgentEventBody[] {
    const events: AgentEventBody[] = [];
    for (const { uri, title } of chunk.candidates?.[0]?.citationMetadata?.citations ?? []) {
      if (uri) this.citations.add(title ? `(${title}) ${uri}` : uri);
    }
    for (const part of partsOf(chunk)) {
      if (part.thought) events.push(thoughtEvent(part.text ?? ''));
      else if (part.text) {
        const next = this.splice.add(part.text);
        if (next.diverged) events.push(...discarding(next.text));
        else if (next.text) events.push({ type: 'content', text: next.text });
      }
    }
    return events;
  }

  /** The answer is asked for again, perhaps from another model. */
  restart(): void {
    this.splice.restart();
  }

  *ofAnswer(answer: AcceptedAnswer): Generator<AgentEventBody> {
    const { message, model, role, promptId, finishReason, usage = NO_USAGE, latencyMs } = answer;
    const tail = this.splice.finish();
    if (tail) yield* discarding(tail);
    yield { type: 'usage', model, role, usage, latencyMs };
    for (const { functionCall: call } of message.parts) {
      if (!call) continue;
      const { id: callId = '', name, args } = call;
      yield { type: 'tool_requested', request: { callId, name, args, promptId } };
    }
    if (this.citations.size > 0) {
      yield { type: 'citation', text: `Citations:\n${[...this.citations].sort().join('\n')}` };
    }
    if (finishReason !== 'STOP') yield earlyEnd(finishReason);
    yield { type: 'model_turn_finished', reason: finishReason, model };
  }
}

/** For a server that does not count tokens. */
const NO_USAGE: TokenUsage = { prompt: 0, candidates: 0, cached: 0, thoughts: 0, tool: 0, total: 0 };

/** The repeated answer differs from what was shown: that is void, and `text` replaces it. */
function discarding(text: string): AgentEventBody[] {
  const message = 'The connection broke and the answer starts anew.';
  const retry = { type: 'retry', attempt: 0, maxAttempts: 0, delayMs: 0, message } as const;
  const events: AgentEventBody[] = [{ ...retry, discardsOutput: true }];
  return text ? [...events, { type: 'content', text }] : events;
}

/** The answer has text, but not all of it. */
function earlyEnd(finishReason: string): AgentEventBody {
  const why = lookUp(EARLY_ENDS, finishReason) ?? 'the provider ended it';
  const message = `The answer is not complete: ${why} (finish reason ${finishReason}).`;
  return { type: 'warning', code: finishReason, message };
}

const EARLY_ENDS: Readonly<Record<string, string>> = {
  MAX_TOKENS: 'it reached the output limit of the model',
  SAFETY: 'the safety filter of the provider stopped it',
  PROHIBITED_CONTENT: 'the safety filter of the provider stopped it',
  RECITATION: 'it repeated protected text',
};

/** Thoughts begin with their subject in bold letters. */
function thoughtEvent(text: string): AgentEventBody {
  const match = /\*\*(.+?)\*\*/s.exec(text);
  if (!match) return { type: 'thought', subject: '', description: text.trim() };
  const description = (text.slice(0, match.index) + text.slice(match.index + match[0].length)).trim();
  return { type: 'thought', subject: (match[1] ?? '').trim(), description };
}
