import { expect, it } from 'vitest';
import { Traces } from '../export/traces.js';
import { Recorded } from '../recorded.test-helper.js';
import { AgentRunObserver } from './agent-runs.js';

it('a run that fails before its first request has a start and an end', () => {
  const recorder = new Recorded();
  const observer = new AgentRunObserver({
    recorder,
    traces: new Traces(),
    now: () => 1,
    mainSpan: () => undefined,
  });
  const agent = { id: 'helper-1a2b', name: 'helper', parentId: 'main' };
  observer.handle({ type: 'agent_started', agentId: agent.id }, agent);
  observer.handle(
    { type: 'agent_finished', terminateReason: 'ERROR', turnCount: 0, durationMs: 5, isBackground: false },
    agent,
  );
  expect(recorder.events.map(({ name, attributes }) => [name, attributes])).toEqual([
    ['gemini_cli.agent.start', { agent_id: 'helper-1a2b', agent_name: 'helper' }],
    [
      'gemini_cli.agent.finish',
      {
        agent_id: 'helper-1a2b',
        agent_name: 'helper',
        duration_ms: 5,
        turn_count: 0,
        terminate_reason: 'ERROR',
      },
    ],
  ]);
});
