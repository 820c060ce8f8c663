/** A recorded conversation as the updates that would have told it. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { type ConversationRecord, type Part, type ToolRegistry, toParts } from '@gemini-cli/core';
import { locationsOf } from '../session/tool-calls.js';
import { callTitle, displayContent } from './tool-content.js';
import { toToolKind } from './tool-kind.js';

type MessageRecord = ConversationRecord['messages'][number];
type ToolCallRecord = NonNullable<MessageRecord['toolCalls']>[number];
type Registry = Pick<ToolRegistry, 'getTool'>;

export function* replayUpdates(
  { messages }: ConversationRecord,
  registry: Registry,
): Generator<SessionUpdate> {
  for (const message of messages) {
    if (message.type === 'user') yield* userMessage(message);
    else if (message.type === 'gemini') yield* answer(message, registry);
  }
}

function* userMessage({ displayContent: shown, content, origin }: MessageRecord): Generator<SessionUpdate> {
  if (origin !== undefined && origin !== 'prompt') return;
  for (const part of toParts(shown ?? content)) yield* chunks('user_message_chunk', part);
}

function* answer(
  { thoughts = [], content, toolCalls = [] }: MessageRecord,
  registry: Registry,
): Generator<SessionUpdate> {
  for (const { subject, description } of thoughts)
    yield {
      sessionUpdate: 'agent_thought_chunk',
      content: { type: 'text', text: thoughtText(subject, description) },
    };
  for (const part of toParts(content)) yield* chunks('agent_message_chunk', part);
  for (const call of toolCalls) yield toolCall(call, registry);
}

function* chunks(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk',
  { text, thought, inlineData }: Part,
): Generator<SessionUpdate> {
  if (text && !thought) yield { sessionUpdate, content: { type: 'text', text } };
  if (!inlineData) return;
  const { mimeType, data } = inlineData;
  if (mimeType.startsWith('image/')) yield { sessionUpdate, content: { type: 'image', mimeType, data } };
  else if (mimeType.startsWith('audio/')) yield { sessionUpdate, content: { type: 'audio', mimeType, data } };
}

function toolCall(call: ToolCallRecord, registry: Registry): SessionUpdate {
  const { id, name, args, status, description, displayName, resultDisplay } = call;
  const tool = registry.getTool(name);
  return {
    sessionUpdate: 'tool_call',
    toolCallId: id,
    status: status === 'success' ? 'completed' : 'failed',
    title: callTitle(description, displayName ?? tool?.displayName) || name,
    kind: toToolKind(tool?.kind),
    content: displayContent(resultDisplay),
    locations: locationsOf(tool, args),
    rawInput: args,
  };
}

/** A bold subject, then the description. */
export function thoughtText(subject: string, description: string): string {
  return subject ? `**${subject}**\n${description}` : description;
}
