/** Reads the history: what the user asked last, and what the tools have answered since. */

import { CANCELLED, DENIED_BY_POLICY, invalidArguments } from '../../base/unrun-calls.js';
import { type FunctionCall, type FunctionResponse, type Message, textOf } from '../../protocol/messages.js';
import type { Outcome, ToolCall } from './intent.js';

export interface Conversation {
  /** The last request of the user, without context blocks and attached files. */
  prompt: string;
  earlierPrompts: string[];
  /** Outcomes of the calls made for that request. */
  results: CallLog;
}

export function readConversation(messages: readonly Message[]): Conversation {
  const prompts: string[] = [];
  let calls: FunctionCall[] = [];
  let responses: FunctionResponse[] = [];
  for (const message of messages) {
    const text = message.origin === 'prompt' && message.role === 'user' ? promptOf(message) : '';
    if (text) {
      prompts.push(text);
      calls = [];
      responses = [];
    }
    for (const part of message.parts) {
      if (part.functionCall) calls.push(part.functionCall);
      if (part.functionResponse) responses.push(part.functionResponse);
    }
  }
  const prompt = prompts.pop() ?? '';
  return { prompt, earlierPrompts: prompts, results: new CallLog(calls, responses) };
}

/** Outcomes by call. The same call made twice has two outcomes, handed out in order. */
export class CallLog {
  private readonly outcomes = new Map<string, Outcome[]>();

  constructor(calls: readonly FunctionCall[], responses: readonly FunctionResponse[]) {
    const open = [...responses];
    for (const call of calls) {
      const byId = call.id === undefined ? -1 : open.findIndex((response) => response.id === call.id);
      const index = byId >= 0 ? byId : open.findIndex((response) => response.name === call.name);
      const response = index < 0 ? undefined : open.splice(index, 1)[0];
      const key = keyOf(call);
      this.outcomes.set(key, [...(this.outcomes.get(key) ?? []), outcomeOf(response)]);
    }
  }

  take(call: ToolCall): Outcome | undefined {
    return this.outcomes.get(keyOf(call))?.shift();
  }
}

/** The user's own words. Files attached with `@path` and blocks added by the program are data, not requests. */
function promptOf(message: Message): string {
  let text = textOf(message.parts).trimStart();
  const context = text.indexOf('<session_context>') >= 0 ? text.indexOf(SESSION_END) : -1;
  if (context >= 0) text = text.slice(context + SESSION_END.length);
  text = text.replace(/^\s*<hook_context>[\s\S]*?<\/hook_context>/, '');
  const attached = text.indexOf('--- Content from referenced files ---');
  if (attached >= 0) text = text.slice(0, attached);
  return text.replace(/<hook_context>[\s\S]*?<\/hook_context>\s*$/, '').trim();
}

const SESSION_END = '</session_context>';

function outcomeOf(response: FunctionResponse | undefined): Outcome {
  if (!response) return { ok: false, text: 'The call was not answered.' };
  const { error, output } = response.response;
  if (error === undefined) return { ok: true, text: asText(output ?? '') };
  const text = asText(error);
  const after = (mark: string) => (text.startsWith(mark) ? text.slice(mark.length).trim() : undefined);
  const reason = after(CANCELLED);
  if (reason !== undefined) return { ok: false, text: reason, refusal: 'cancelled' };
  if (text.startsWith(DENIED_BY_POLICY)) return { ok: false, text, refusal: 'denied' };
  return { ok: false, text: after(invalidArguments(response.name)) ?? text };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Arguments come back from a session file in any order of keys. */
function keyOf(call: ToolCall): string {
  const args = Object.entries(call.args).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${call.name} ${JSON.stringify(args)}`;
}
