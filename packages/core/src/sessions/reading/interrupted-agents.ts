/** Answers calls of sub-agents that a killed process left open, with what their transcripts hold. */
import { withoutOwnMarks } from '../../base/untrusted-context.js';
import type { ConversationRecord, MessageRecord, ToolCallRecord } from '../../protocol/session-record.js';
import { COMPLETE_TASK, INVOKE_AGENT } from '../../protocol/tool-names.js';
import { textOfRecord } from './message-kinds.js';

/** The record with an answer to each such call; the same object when there is none. */
export async function withAgentReports(
  record: ConversationRecord,
  transcripts: () => Promise<readonly ConversationRecord[]>,
): Promise<ConversationRecord> {
  const isOpen = ({ name, result }: ToolCallRecord) => name === INVOKE_AGENT && !result?.length;
  if (!record.messages.some(({ toolCalls = [] }) => toolCalls.some(isOpen))) return record;
  const byCall = new Map((await transcripts()).map((transcript) => [transcript.parentCallId, transcript]));
  const answered = (call: ToolCallRecord): ToolCallRecord => {
    const transcript = isOpen(call) && call.status !== 'awaiting_approval' ? byCall.get(call.id) : undefined;
    if (!transcript) return call;
    const response = { output: withoutOwnMarks(reportOf(transcript)) };
    const result = [{ functionResponse: { id: call.id, name: call.name, response } }];
    return { ...call, result, status: 'cancelled', agentId: transcript.sessionId };
  };
  const messages = record.messages.map(
    (message): MessageRecord =>
      message.toolCalls ? { ...message, toolCalls: message.toolCalls.map(answered) } : message,
  );
  return { ...record, messages };
}

const MAX_CALLS = 30;
const MAX_TEXT = 4_000;

/** What the agent had reported, or had done until then. */
function reportOf({ agentName = 'agent', messages }: ConversationRecord): string {
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  const completed = calls.findLast(({ name, status }) => name === COMPLETE_TASK && status === 'success');
  if (completed) {
    const [value] = Object.values(completed.args);
    const result = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return `Subagent '${agentName}' finished, right before the session was interrupted.\nResult: ${result}`;
  }
  const done = calls.map(
    ({ name, args, status }) => `- ${name} ${JSON.stringify(args).slice(0, 200)}: ${status}`,
  );
  const said = messages.findLast(
    (message) => message.type === 'gemini' && textOfRecord(message).trim() !== '',
  );
  return [
    `The session was interrupted while the agent ${agentName} worked; it did not report.`,
    ...(done.length > 0
      ? [`Its calls until then (an unfinished one may have had an effect):`, ...done.slice(-MAX_CALLS)]
      : ['It had called no tool.']),
    ...(said ? [`It said last: ${textOfRecord(said).trim().slice(0, MAX_TEXT)}`] : []),
    'Check what is done before you start it again.',
  ].join('\n');
}
