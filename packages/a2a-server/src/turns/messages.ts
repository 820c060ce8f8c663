/** What a client's message says: text for the model, and answers to calls that wait. */
import type { Part as A2APart, Message } from '@a2a-js/sdk';
import { type Part, ToolConfirmationOutcome, type ToolConfirmationPayload } from '@gemini-cli/core';

export interface CallReply {
  callId: string;
  outcome: ToolConfirmationOutcome;
  payload?: ToolConfirmationPayload;
}

export interface ReadMessage {
  /** For the model. */
  parts: Part[];
  replies: CallReply[];
  /** What is wrong with replies that cannot be used. */
  problems: string[];
}

const OUTCOMES: ReadonlySet<string> = new Set(Object.values(ToolConfirmationOutcome));

/** @param isWaiting a call waits: its answer may be a text, too, for clients that send nothing else */
export function readMessage({ parts }: Pick<Message, 'parts'>, { isWaiting = false } = {}): ReadMessage {
  const message: ReadMessage = { parts: [], replies: [], problems: [] };
  for (const part of parts) {
    const reply = replyIn(part, isWaiting);
    const callId = reply?.['callId'] ?? reply?.['tool_call_id'];
    if (reply && callId !== undefined) readReply(callId, reply, message);
    else message.parts.push(...toModel(part));
  }
  return message;
}

function replyIn({ content }: A2APart, isWaiting: boolean): Record<string, unknown> | undefined {
  if (content?.$case === 'data') return asObject(content.value);
  if (!isWaiting || content?.$case !== 'text' || !content.value.trim().startsWith('{')) return undefined;
  try {
    return asObject(JSON.parse(content.value));
  } catch {
    return undefined;
  }
}

function readReply(callId: unknown, reply: Record<string, unknown>, message: ReadMessage): void {
  const outcome = reply['outcome'] ?? reply['selected_option_id'];
  if (typeof callId !== 'string') message.problems.push('The id of a tool call must be a text.');
  else if (typeof outcome !== 'string' || !OUTCOMES.has(outcome))
    message.problems.push(
      `Unknown outcome ${JSON.stringify(outcome) ?? 'undefined'} for tool call ${callId}. ` +
        `Use one of: ${[...OUTCOMES].join(', ')}.`,
    );
  else {
    const payload = payloadOf(reply);
    message.replies.push({
      callId,
      outcome: outcome as ToolConfirmationOutcome,
      ...(payload && { payload }),
    });
  }
}

function payloadOf(reply: Record<string, unknown>): ToolConfirmationPayload | undefined {
  const newContent = reply['newContent'] ?? reply['new_content'];
  const { answers, feedback } = reply;
  const payload: ToolConfirmationPayload = {
    ...(typeof newContent === 'string' && { newContent }),
    ...(typeof feedback === 'string' && { feedback }),
    ...(asObject(answers) && { answers: answers as Record<string, string> }),
  };
  return Object.keys(payload).length > 0 ? payload : undefined;
}

function toModel({ content, filename, mediaType }: A2APart): Part[] {
  switch (content?.$case) {
    case 'text':
      return content.value === '' ? [] : [{ text: content.value }];
    case 'data':
      return [{ text: JSON.stringify(content.value) ?? 'null' }];
    case 'raw': {
      const data = Buffer.from(content.value).toString('base64');
      return [{ inlineData: { mimeType: mediaType || 'application/octet-stream', data } }];
    }
    case 'url':
      return [{ text: `[file${filename ? ` ${filename}` : ''}: ${content.value}]` }];
    default:
      return [];
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
