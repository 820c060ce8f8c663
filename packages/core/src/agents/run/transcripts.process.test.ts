/** The transcript of a run, and what a resumed session finds of a run that a kill has interrupted. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentOf, answersTo, call, complete, invoke, sessionWith } from '../../config/agents.test-helper.js';
import { withTranscripts } from '../../sessions/finding/agent-transcripts.js';
import { readSession } from '../../sessions/reading/read-session.js';

describe('the transcript of an agent', () => {
  it('is linked to the session and the call that started it', async () => {
    const { send, config } = await sessionWith(
      [agentOf('helper')],
      {
        main: [invoke('helper', 'look around'), 'thanks'],
        helper: [call('glob', { pattern: 'a' }), complete('seen')],
      },
      { sessions: {} },
    );
    await send();
    const path = config.getChatRecordingService()?.conversationFile ?? '';
    const record = withTranscripts(readSession(path), path);
    const [parentCall] = record.messages.flatMap(({ toolCalls = [] }) => toolCalls);
    expect(record.agents).toMatchObject([
      {
        kind: 'subagent',
        agentName: 'helper',
        parentSessionId: config.getSessionId(),
        parentCallId: parentCall?.id,
        sessionId: parentCall?.agentId,
      },
    ]);
    const calls = record.agents?.[0]?.messages.flatMap(({ toolCalls = [] }) => toolCalls);
    expect(calls?.map(({ name, status }) => [name, status])).toEqual([
      ['glob', 'success'],
      ['complete_task', 'success'],
    ]);
    expect(parentCall?.resultDisplay).toMatchObject({ isSubagentProgress: true, state: 'completed' });
  });

  it('answers the call of a session that was killed in the middle', async () => {
    const { send, config } = await sessionWith(
      [agentOf('helper')],
      {
        main: [invoke('helper'), 'thanks'],
        helper: [call('glob', { pattern: 'before the kill' }), complete('never seen')],
      },
      { sessions: {} },
    );
    const controller = new AbortController();
    let main = '';
    let agent: [string, string] = ['', ''];
    const file = () => config.getChatRecordingService()?.conversationFile ?? '';
    const transcriptOf = () => {
      const folder = join(file(), '..', config.getSessionId());
      return join(folder, readdirSync(folder)[0] ?? '');
    };
    // What is on the disk when the agent's second request begins is what a kill would leave.
    config.getEvents().subscribe((event) => {
      if (event.type !== 'model_turn_started' || event.agent.name !== 'helper' || event.turn !== 2) return;
      main = readFileSync(file(), 'utf8');
      agent = [transcriptOf(), readFileSync(transcriptOf(), 'utf8')];
      controller.abort();
    });
    await send('go', controller.signal);
    const path = file();
    await config.shutdown();
    writeFileSync(path, main);
    writeFileSync(...agent);
    const resumed = await sessionWith(
      [agentOf('helper')],
      { main: ['I see.'] },
      {
        sessions: { resume: path },
        sessionId: config.getSessionId(),
      },
    );
    await resumed.send('what happened?');
    expect(answersTo(resumed.config)[0]).toContain('interrupted while the agent helper worked');
    expect(answersTo(resumed.config)[0]).toContain('before the kill');
  });
});
