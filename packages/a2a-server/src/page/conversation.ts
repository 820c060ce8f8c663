/** The history of a task as the messages of a recorded session, which the session export draws. */
import { type Message, Role } from '@a2a-js/sdk';
import { isObject, objectOf } from '@gemini-cli/core';
import type { SessionHtml } from '@gemini-cli/core/server';
import type { TaskRecord } from '../contract.js';

type MessageRecord = Parameters<SessionHtml['conversationHtml']>[0][number];
type ToolCallRecord = NonNullable<MessageRecord['toolCalls']>[number];

/** Messages of tasks have no times of their own. */
const NO_TIME = '';

export function recordedMessages({ task, model }: Pick<TaskRecord, 'task' | 'model'>): MessageRecord[] {
  return task.history.map((message) => recorded(message, model));
}

/** The user's first words: the name of the task in lists. */
export function titleOf({ task }: TaskRecord): string {
  const first = task.history.find(({ role }) => role === Role.ROLE_USER);
  return first ? textOf(first).trim() : '';
}

function recorded(message: Message, model: string | undefined): MessageRecord {
  const base = { id: message.messageId, timestamp: NO_TIME, content: textOf(message) };
  if (message.role === Role.ROLE_USER) {
    const answered = message.parts.flatMap(({ content }) =>
      content?.$case === 'data' ? [answerText(content.value)] : [],
    );
    // An answer to a confirmation is not a prompt.
    return answered.length > 0 && base.content === ''
      ? { ...base, type: 'info', content: answered.join('\n') }
      : { ...base, type: 'user' };
  }
  const kind = objectOf(message.metadata?.['coderAgent'])['kind'];
  const data = message.parts.flatMap(({ content }) =>
    content?.$case === 'data' ? [objectOf(content.value)] : [],
  );
  if (kind === 'thought') {
    const thoughts = data.map(({ subject, description }) => ({
      subject: String(subject ?? ''),
      description: String(description ?? ''),
      timestamp: NO_TIME,
    }));
    return { ...base, content: '', type: 'gemini', thoughts };
  }
  if (kind === 'tool-call-update')
    return { ...base, content: '', type: 'gemini', toolCalls: data.map(toolCall) };
  if (kind === 'state-change') return { ...base, type: 'info' };
  return { ...base, type: 'gemini', ...(model !== undefined && { model }) };
}

function toolCall(data: Record<string, unknown>): ToolCallRecord {
  const [request, response, tool] = [data['request'], data['response'], data['tool']].map(objectOf);
  const display = response?.['resultDisplay'];
  const parts = response?.['responseParts'];
  return {
    id: String(request?.['callId'] ?? ''),
    name: String(request?.['name'] ?? 'tool'),
    args: objectOf(request?.['args']),
    status: data['status'] as ToolCallRecord['status'],
    timestamp: NO_TIME,
    ...(typeof tool?.['displayName'] === 'string' && { displayName: tool['displayName'] }),
    ...(display !== undefined && { resultDisplay: display as ToolCallRecord['resultDisplay'] }),
    ...(Array.isArray(parts) && { result: parts }),
    ...(tool?.['isOutputMarkdown'] === true && { renderOutputAsMarkdown: true }),
  };
}

function answerText(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value) ?? '';
  const { outcome, callId } = value;
  return outcome === undefined
    ? JSON.stringify(value)
    : `Answered ${String(outcome)} to the call ${String(callId)}`;
}

function textOf({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}
