import { describe, expect, it } from 'vitest';
import type { ConversationRecord, ToolCallRecord } from '../../protocol/session-record.js';
import { withAgentReports } from './interrupted-agents.js';

const call = (more: Partial<ToolCallRecord>): ToolCallRecord => ({
  id: 'call-1',
  name: 'invoke_agent',
  args: { agent_name: 'helper', prompt: 'look' },
  status: 'scheduled',
  timestamp: '2026-01-01T00:00:00.000Z',
  ...more,
});

const record = (toolCalls: ToolCallRecord[], more: Partial<ConversationRecord> = {}): ConversationRecord => ({
  sessionId: 's',
  projectHash: '',
  startTime: '',
  lastUpdated: '',
  kind: 'main',
  messageCount: 1,
  userMessageCount: 1,
  hasUserOrAssistantMessage: true,
  messages: [{ id: '1', timestamp: '', type: 'gemini', content: 'I look.', toolCalls }],
  ...more,
});

const transcript = (toolCalls: ToolCallRecord[]) =>
  record(toolCalls, { sessionId: 'helper-1', kind: 'subagent', agentName: 'helper', parentCallId: 'call-1' });

const answerOf = async (session: ConversationRecord, transcripts: ConversationRecord[]) => {
  const { messages } = await withAgentReports(session, async () => transcripts);
  return messages[0]?.toolCalls?.[0]?.result?.[0]?.functionResponse?.response['output'];
};

describe('a call of an agent that a killed process left open', () => {
  it('is answered with what the agent had done', async () => {
    const work = call({ id: 'r', name: 'read_file', args: { file_path: 'a' }, status: 'success' });
    const answer = await answerOf(record([call({})]), [transcript([work])]);
    expect(answer).toContain('interrupted while the agent helper worked');
    expect(answer).toContain('- read_file {"file_path":"a"}: success');
    expect(answer).toContain('It said last: I look.');
  });

  it('is answered with the report, if the agent had given it', async () => {
    const done = call({ id: 'c', name: 'complete_task', args: { result: 'all of it' }, status: 'success' });
    expect(await answerOf(record([call({})]), [transcript([done])])).toContain('Result: all of it');
  });

  it('stays open without a transcript, and an answered one is not touched', async () => {
    expect(await answerOf(record([call({})]), [])).toBeUndefined();
    const answered = record([call({ result: [{ text: 'x' }] })]);
    expect(await withAgentReports(answered, async () => [transcript([])])).toBe(answered);
  });
});
