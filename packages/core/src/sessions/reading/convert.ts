/** Converts a recorded session into the engine's messages, the screen's items, and the public history formats. */
import { type Content, type Message, type Part, textOf, toParts } from '../../protocol/messages.js';
import type { ConversationRecord, MessageRecord, ToolCallRecord } from '../../protocol/session-record.js';
import type { Todo, ToolResultDisplay } from '../../protocol/tool-display.js';
import { isHidden, isSentAgain, shownTextOf, textOfRecord } from './message-kinds.js';

/** What a screen draws for a message; the screen numbers the items itself. */
export type HistoryItemWithoutId =
  | { type: 'user' | 'gemini' | 'info' | 'error' | 'warning'; text: string }
  | { type: 'thinking'; thought: { subject: string; description: string } }
  | { type: 'tool_group'; tools: HistoryToolCall[] };

export interface HistoryToolCall {
  callId: string;
  name: string;
  description: string;
  status: ToolCallRecord['status'];
  resultDisplay?: ToolResultDisplay;
  renderOutputAsMarkdown?: boolean;
}

export interface HistoryFormats {
  uiHistory: HistoryItemWithoutId[];
  clientHistory: Content[];
}

/** Public API; takes the whole record or its messages. */
export function convertSessionToHistoryFormats(
  session: Pick<ConversationRecord, 'messages'> | readonly MessageRecord[],
): HistoryFormats {
  const messages = 'messages' in session ? session.messages : session;
  return {
    uiHistory: messages.flatMap(uiItemsOf),
    clientHistory: messagesOf(messages).map(({ role, parts }) => ({ role, parts })),
  };
}

/** The record id of each message. */
export type RecordIds = Map<Message, string>;

/**
 * The conversation for the engine, without the session context, which each start adds anew. Every call gets a response;
 * the chat's curator ensures the other rules of the providers.
 */
export function toMessages(
  record: Pick<ConversationRecord, 'messages' | 'omittedMessages'>,
  ids?: RecordIds,
): Message[] {
  const messages = messagesOf(record.messages, ids);
  return record.omittedMessages ? [...omissionNote(record.omittedMessages), ...messages] : messages;
}

function messagesOf(records: readonly MessageRecord[], ids?: RecordIds): Message[] {
  const messages: Message[] = [];
  const add = (message: Message, { id }: MessageRecord) => {
    messages.push(message);
    ids?.set(message, id);
  };
  for (const record of records) {
    if (!isSentAgain(record)) continue;
    const parts = toParts(record.content).filter((part) => !part.thought);
    if (record.type === 'user') {
      if (parts.length > 0) add({ role: 'user', origin: record.origin ?? 'prompt', parts }, record);
      continue;
    }
    const calls = record.toolCalls ?? [];
    const all = withCalls(parts, calls);
    if (all.length > 0) add({ role: 'model', origin: record.origin ?? 'model', parts: all }, record);
    if (calls.length > 0) {
      add({ role: 'user', origin: 'tool_response', parts: calls.flatMap(responseParts) }, record);
    }
  }
  return messages;
}

/** Calls follow the text unless the record gives their position. */
function withCalls(parts: readonly Part[], calls: readonly ToolCallRecord[]): Part[] {
  // A record of another program may repeat the calls among its parts.
  const all = parts.filter(
    ({ functionCall, functionResponse, text, thoughtSignature }) =>
      !functionCall && !functionResponse && (text !== '' || thoughtSignature),
  );
  for (const call of calls) {
    const { id, name, args, thoughtSignature, partIndex } = call;
    const part: Part = { functionCall: { id, name, args }, ...(thoughtSignature && { thoughtSignature }) };
    all.splice(partIndex ?? all.length, 0, part);
  }
  return all;
}

function responseParts(call: ToolCallRecord): Part[] {
  const { id, name, result } = call;
  if (!result || result.length === 0) return [errorResponse(call, whyUnanswered(call))];
  const isAnswered = result.some(({ functionResponse }) => functionResponse);
  if (!isAnswered) return [{ functionResponse: { id, name, response: { output: textOf(result) } } }];
  return result.map((part) =>
    part.functionResponse && part.functionResponse.id !== id
      ? { ...part, functionResponse: { ...part.functionResponse, id, name } }
      : part,
  );
}

function errorResponse({ id, name }: ToolCallRecord, error: string): Part {
  return { functionResponse: { id, name, response: { error } } };
}

function whyUnanswered({ status }: ToolCallRecord): string {
  switch (status) {
    case 'awaiting_approval':
      return 'The session was interrupted while this call waited for approval. It did not run.';
    case 'cancelled':
      return 'The user cancelled this call.';
    case 'success':
    case 'error':
      return 'The call ended, but its result was not recorded. Check its effect before you repeat it.';
    default:
      return 'The session was interrupted during this call; whether it ran is not known. Check before you repeat it.';
  }
}

/** Replaces older messages that do not fit into a resumed conversation. */
export function omissionNote(count: number): Message[] {
  const text =
    `This conversation is resumed from a recording. Its first ${count} messages are too long to be sent again and ` +
    'are left out here; ask the user for what you need of them.';
  return [
    { role: 'user', origin: 'summary', parts: [{ text }] },
    { role: 'model', origin: 'summary', parts: [{ text: 'Understood.' }] },
  ];
}

function uiItemsOf(record: MessageRecord): HistoryItemWithoutId[] {
  const text = shownTextOf(record);
  switch (record.type) {
    case 'user':
      return isHidden(record, textOfRecord(record)) ? [] : [{ type: 'user', text }];
    case 'gemini':
      return [
        ...(record.thoughts ?? []).map(
          ({ subject, description }) => ({ type: 'thinking', thought: { subject, description } }) as const,
        ),
        ...(text && !isHidden(record, text) ? [{ type: 'gemini', text } as const] : []),
        ...(record.toolCalls?.length
          ? [{ type: 'tool_group', tools: record.toolCalls.map(uiCall) } as const]
          : []),
      ];
    case 'info':
    case 'error':
    case 'warning':
      return [{ type: record.type as 'info' | 'error' | 'warning', text }];
    default:
      return [{ type: 'info', text: `[${record.type}, written by a newer version] ${text}`.trimEnd() }];
  }
}

function uiCall(call: ToolCallRecord): HistoryToolCall {
  const { id, name, displayName, description, status, resultDisplay, renderOutputAsMarkdown } = call;
  return {
    callId: id,
    name: displayName ?? name,
    description: description ?? '',
    status,
    ...(resultDisplay !== undefined && { resultDisplay }),
    ...(renderOutputAsMarkdown !== undefined && { renderOutputAsMarkdown }),
  };
}

/** The state of a session at its end. */
export interface RestoredState {
  /** The model that answered last. */
  model?: string;
  todos?: Todo[];
  directories: string[];
}

/** Model names come from an untrusted file. */
const MODEL_NAME = /^[\w.:/@+-]{1,200}$/;

export function restoredState({
  messages,
  directories = [],
}: Pick<ConversationRecord, 'messages' | 'directories'>): RestoredState {
  const state: RestoredState = { directories };
  for (let index = messages.length - 1; index >= 0 && !(state.model && state.todos); index--) {
    const { model, toolCalls = [] } = messages[index] as MessageRecord;
    if (model && MODEL_NAME.test(model)) state.model ??= model;
    state.todos ??= toolCalls.map(todosOf).findLast((todos) => todos !== undefined);
  }
  return state;
}

function todosOf({ resultDisplay }: ToolCallRecord): Todo[] | undefined {
  const isList = typeof resultDisplay === 'object' && resultDisplay !== null && 'todos' in resultDisplay;
  return isList && Array.isArray(resultDisplay.todos) ? resultDisplay.todos : undefined;
}
