/** Parses single lines of a session file; every field is untrusted and checked. */
import { isObject, objectOf } from '../../base/objects.js';
import type { Part } from '../../protocol/messages.js';
import type { ConversationRecord, MessageRecord, ToolCallRecord } from '../../protocol/session-record.js';
import { splitAnswer } from '../to-records.js';
import { displayFrom } from './display-from.js';

export type Line =
  | { kind: 'metadata'; fields: Fields; messages?: unknown[] }
  | { kind: 'set'; fields: Fields; messages?: unknown[] }
  | { kind: 'rewind'; id: string }
  | { kind: 'message'; record: Fields & { id?: unknown } }
  | { kind: 'role'; role: string; parts: Part[] }
  | { kind: 'unknown'; value: unknown };

type Fields = Record<string, unknown>;

export function classify(value: unknown): Line {
  if (!isObject(value)) return { kind: 'unknown', value };
  if (isObject(value['$set'])) return { kind: 'set', ...splitMessages(value['$set']) };
  if (typeof value['$rewindTo'] === 'string') return { kind: 'rewind', id: value['$rewindTo'] };
  if (typeof value['sessionId'] === 'string' && !('type' in value)) {
    return { kind: 'metadata', ...splitMessages(value) };
  }
  if (typeof value['type'] === 'string' && ('id' in value || 'content' in value)) {
    return { kind: 'message', record: value };
  }
  if (typeof value['role'] === 'string' && Array.isArray(value['parts'])) {
    return { kind: 'role', role: value['role'], parts: partsFrom(value['parts']) };
  }
  return { kind: 'unknown', value };
}

function splitMessages(value: Fields): { fields: Fields; messages?: unknown[] } {
  const { messages, ...fields } = value;
  return Array.isArray(messages) ? { fields, messages } : { fields };
}

/** Undefined when the value is not a message. */
export function messageFrom(
  value: unknown,
  fallbackId: string,
  fallbackTime: string,
): MessageRecord | undefined {
  if (!isObject(value) || typeof value['type'] !== 'string') return fromRole(value, fallbackId, fallbackTime);
  const { id, timestamp, type, content, displayContent, toolCalls, thoughts, tokens, ...rest } = value;
  return {
    ...withTexts(rest, ['model', 'origin']),
    id: typeof id === 'string' && id ? id : fallbackId,
    timestamp: timeFrom(timestamp) ?? fallbackTime,
    type: type === 'model' || type === 'assistant' ? 'gemini' : type,
    content: contentFrom(content),
    ...(displayContent != null && { displayContent: contentFrom(displayContent) }),
    ...((isObject(tokens) || tokens === null) && { tokens }),
    ...(Array.isArray(toolCalls) && {
      toolCalls: toolCalls.flatMap((call, index) => toolCallFrom(call, index, fallbackTime)),
    }),
    ...(Array.isArray(thoughts) && {
      thoughts: thoughts.flatMap((thought) => thoughtFrom(thought, fallbackTime)),
    }),
  } as MessageRecord;
}

function fromRole(value: unknown, id: string, timestamp: string): MessageRecord | undefined {
  const line = classify(value);
  return line.kind === 'role' ? recordFromRole({ ...line, id, timestamp }) : undefined;
}

/** `{role, parts}`; undefined for tool results, which belong to the call before them. */
export function recordFromRole(line: {
  role: string;
  parts: Part[];
  id: string;
  timestamp: string;
}): MessageRecord | undefined {
  const { role, parts, id, timestamp } = line;
  if (role === 'model' || role === 'assistant') {
    const { content, toolCalls } = splitAnswer(parts, timestamp);
    return { id, timestamp, type: 'gemini', content, ...(toolCalls.length > 0 && { toolCalls }) };
  }
  if (role === 'system') return { id, timestamp, type: 'info', content: parts };
  const own = role === 'tool' ? [] : parts.filter(({ functionResponse }) => !functionResponse);
  return own.length > 0 ? { id, timestamp, type: 'user', content: own } : undefined;
}

/** The results a `{role, parts}` line brings for earlier calls. */
export function resultsIn(role: string, parts: readonly Part[]): boolean {
  return role === 'tool' || (role === 'user' && parts.some(({ functionResponse }) => functionResponse));
}

function contentFrom(content: unknown): MessageRecord['content'] {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return partsFrom(content);
  return isObject(content) ? (partsFrom([content])[0] ?? '') : '';
}

function partsFrom(list: readonly unknown[]): Part[] {
  return list.flatMap((item): Part[] => {
    if (typeof item === 'string') return [{ text: item }];
    if (!isObject(item)) return [];
    const { functionCall, functionResponse } = item;
    if (functionCall !== undefined) {
      if (!isObject(functionCall) || typeof functionCall['name'] !== 'string') return [];
      const args = isObject(functionCall['args']) ? functionCall['args'] : {};
      return [{ ...item, functionCall: { ...functionCall, name: functionCall['name'], args } }];
    }
    if (functionResponse !== undefined) {
      if (!isObject(functionResponse) || typeof functionResponse['name'] !== 'string') return [];
      const { response } = functionResponse;
      const name = functionResponse['name'];
      return [
        {
          ...item,
          functionResponse: {
            ...functionResponse,
            name,
            response: isObject(response) ? response : { output: response },
          },
        },
      ];
    }
    const { text, inlineData, fileData } = item;
    if (text !== undefined && typeof text !== 'string') return [];
    if (![inlineData, fileData].every((data) => data === undefined || isObject(data))) return [];
    return [item as Part];
  });
}

/** Drops the named fields whose value is not a string. */
function withTexts(fields: Fields, keys: readonly string[]): Fields {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.filter(([key, value]) => !keys.includes(key) || typeof value === 'string'),
  );
}

const STATUSES = new Set([
  'validating',
  'scheduled',
  'executing',
  'awaiting_approval',
  'success',
  'error',
  'cancelled',
]);

function toolCallFrom(value: unknown, index: number, fallbackTime: string): ToolCallRecord[] {
  if (!isObject(value) || typeof value['name'] !== 'string') return [];
  const { id, args, result, status, timestamp, resultDisplay, renderOutputAsMarkdown, partIndex, ...rest } =
    value;
  const display = displayFrom(resultDisplay);
  const parts =
    typeof result === 'string' ? [{ text: result }] : isObject(result) ? partsFrom([result]) : null;
  return [
    {
      ...withTexts(rest, ['agentId', 'displayName', 'description', 'thoughtSignature']),
      ...(display !== undefined && { resultDisplay: display }),
      ...(typeof renderOutputAsMarkdown === 'boolean' && { renderOutputAsMarkdown }),
      ...(Number.isSafeInteger(partIndex) && { partIndex }),
      name: value['name'],
      id: typeof id === 'string' && id ? id : `${value['name']}_${index}`,
      args: objectOf(args),
      result: Array.isArray(result) ? partsFrom(result) : parts,
      status: typeof status === 'string' && STATUSES.has(status) ? status : result ? 'success' : 'scheduled',
      timestamp: timeFrom(timestamp) ?? fallbackTime,
    } as ToolCallRecord,
  ];
}

function thoughtFrom(value: unknown, fallbackTime: string) {
  if (!isObject(value)) return [];
  const text = (key: string) => (typeof value[key] === 'string' ? value[key] : '');
  return [
    {
      subject: text('subject'),
      description: text('description'),
      timestamp: timeFrom(value['timestamp']) ?? fallbackTime,
    },
  ];
}

/** An ISO time, also from milliseconds. */
function timeFrom(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return undefined;
  return typeof value === 'string' ? value : date.toISOString();
}

/** Known metadata fields of the right type; others are ignored and stay in the file. */
export function metadataFrom(fields: Fields): Partial<ConversationRecord> {
  const known: Partial<ConversationRecord> = {};
  const take = <K extends keyof ConversationRecord>(key: K, isValid: (value: unknown) => boolean) => {
    if (isValid(fields[key])) known[key] = fields[key] as ConversationRecord[K];
  };
  const isText = (value: unknown) => typeof value === 'string';
  const isCount = (value: unknown) => Number.isSafeInteger(value);
  take('sessionId', isText);
  take('projectHash', isText);
  take('summary', isText);
  take('agentName', isText);
  take('parentSessionId', isText);
  take('parentCallId', isText);
  take('firstUserMessage', isText);
  take('memoryScratchpad', (value) => isText(value) || isObject(value));
  take('directories', (value) => Array.isArray(value) && value.every(isText));
  take('messageCount', isCount);
  take('userMessageCount', isCount);
  take('formatVersion', isCount);
  take('hasUserOrAssistantMessage', (value) => typeof value === 'boolean');
  for (const key of ['startTime', 'lastUpdated'] as const) {
    const time = timeFrom(fields[key]);
    if (time) known[key] = time;
  }
  if ('kind' in fields) known.kind = fields['kind'] === 'subagent' ? 'subagent' : 'main';
  return known;
}
