/** Converts our messages to alternating turns in which every call is answered at once. */
import type { FunctionResponse, Message, Part } from '../../protocol/messages.js';
import { plainBlocks, resultBlock, textBlocks, toolsAsText } from './blocks.js';
import { unpackThinking } from './signature.js';
import { type Block, type ToolResultBlock, type WireMessage, wireName } from './wire.js';

export interface ConversationOptions {
  /** The provider whose thinking may be returned. */
  provider: string;
  supportsImages: boolean;
  /** False: no tools are declared, so calls and results become text. */
  usesTools: boolean;
}

interface OpenCall {
  wireId: string;
  id: string | undefined;
  name: string;
}

/** A conversation grows at its end: finished turns are emitted once, only the last two stay open. */
export class Conversation {
  private assistant: Block[] = [];
  private calls: OpenCall[] = [];
  private user: Part[] = [];
  private hasBegun = false;
  /** How often each call id was used. */
  private readonly usedIds = new Map<string, number>();

  constructor(private readonly options: ConversationOptions) {}

  /** Adds the next message; `over` gets the turns that cannot change any more. */
  add(message: Message, over: WireMessage[]): void {
    if (message.role === 'user') {
      for (const part of message.parts) if (!part.thought) this.user.push(part);
      return;
    }
    const { blocks, calls } = this.answer(message.parts);
    if (blocks.length === 0) return;
    if (this.user.length > 0) this.closeTurns(over);
    this.assistant = this.assistant.length > 0 ? [...this.assistant, ...blocks] : blocks;
    this.calls = this.calls.length > 0 ? [...this.calls, ...calls] : calls;
  }

  /** The open turns, completed so that the API accepts them as the end. */
  tail(): WireMessage[] {
    const turns = this.openTurns();
    if (turns.at(-1)?.role !== 'user') turns.push({ role: 'user', content: textBlocks('Continue.') });
    return turns;
  }

  /** The API continues to think after a tool call only if it was thinking before. */
  get canThink(): boolean {
    const first = this.assistant[0]?.type;
    return this.calls.length === 0 || first === 'thinking' || first === 'redacted_thinking';
  }

  private closeTurns(over: WireMessage[]): void {
    const turns = this.openTurns();
    this.user = [];
    if (turns.at(-1)?.role !== 'user') return;
    this.assistant = [];
    this.calls = [];
    this.hasBegun = true;
    over.push(...turns);
  }

  private openTurns(): WireMessage[] {
    const turns: WireMessage[] = [];
    if (this.assistant.length > 0) {
      if (!this.hasBegun) turns.push({ role: 'user', content: textBlocks('Go on.') });
      turns.push({ role: 'assistant', content: this.assistant });
    }
    const content = this.userBlocks();
    if (content.length > 0) turns.push({ role: 'user', content });
    return turns;
  }

  private answer(parts: readonly Part[]): { blocks: Block[]; calls: OpenCall[] } {
    const blocks: Block[] = [];
    const calls: OpenCall[] = [];
    /** Where the run of text before the next call began. */
    let start = 0;
    for (const part of parts) {
      if (part.thought) continue;
      const { functionCall: call, text } = part;
      if (text?.trim() && !call) {
        // Shortcut: most parts are plain text.
        blocks.push({ type: 'text', text });
        continue;
      }
      if (!call || !this.options.usesTools) {
        blocks.push(...toolsAsText(part, false));
        continue;
      }
      const thinking = unpackThinking(this.options.provider, part.thoughtSignature);
      if (thinking) {
        blocks.splice(start, 0, ...thinking.first);
        blocks.push(...thinking.last);
      }
      const wireId = this.unique(call.id ?? '');
      calls.push({ wireId, id: call.id, name: call.name });
      blocks.push({ type: 'tool_use', id: wireId, name: wireName(call.name), input: call.args });
      start = blocks.length;
    }
    return { blocks, calls };
  }

  private userBlocks(): Block[] {
    const { supportsImages, usesTools } = this.options;
    if (!usesTools) return this.user.flatMap((part) => toolsAsText(part, supportsImages));
    const call = this.calls[0];
    const only = this.user[0];
    if (call && only?.functionResponse && this.calls.length === 1 && this.user.length === 1) {
      // Shortcut for the most frequent turn: one call and its result.
      if (only.functionResponse.id === call.id) {
        return [resultBlock(call.wireId, only.functionResponse, supportsImages)];
      }
    }
    const responses = new Set<FunctionResponse>();
    for (const { functionResponse } of this.user) if (functionResponse) responses.add(functionResponse);
    const blocks: Block[] = answersTo(this.calls, responses, supportsImages);
    for (const part of this.user) {
      if (!part.functionResponse) blocks.push(...plainBlocks(part, supportsImages));
      // Its call is gone, e.g. compressed away.
      else if (responses.has(part.functionResponse)) blocks.push(...toolsAsText(part, supportsImages));
    }
    return blocks;
  }

  private unique(wanted: string): string {
    const base = wanted.replace(/[^\w-]/g, '_') || 'call';
    let count = this.usedIds.get(base);
    if (count === undefined) {
      this.usedIds.set(base, 1);
      return base;
    }
    let id: string;
    do id = `${base}_${++count}`;
    while (this.usedIds.has(id));
    this.usedIds.set(base, count).set(id, 1);
    return id;
  }
}

/** One result per call, in order; `responses` keeps those without a call. */
function answersTo(
  calls: readonly OpenCall[],
  responses: Set<FunctionResponse>,
  canSee: boolean,
): ToolResultBlock[] {
  if (calls.length === 0) return [];
  const ids = new Set(calls.map(({ id }) => id));
  const found = new Map<OpenCall, FunctionResponse>();
  const match = (fits: (response: FunctionResponse, call: OpenCall) => boolean) => {
    for (const call of calls) {
      if (found.has(call)) continue;
      for (const response of responses) {
        if (!fits(response, call)) continue;
        found.set(call, response);
        responses.delete(response);
        break;
      }
    }
  };
  match((response, call) => call.id !== undefined && response.id === call.id);
  // Some servers send no ids, or ids that differ from the calls'.
  if (responses.size > 0)
    match((response, call) => response.name === call.name && !(response.id && ids.has(response.id)));
  return calls.map((call) => {
    const response = found.get(call) ?? { name: call.name, response: { error: NO_RESULT } };
    return resultBlock(call.wireId, response, canSee);
  });
}

const NO_RESULT = 'No result of this call was recorded; whether it ran is not known.';
