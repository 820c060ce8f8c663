import { describe, expect, it } from 'vitest';
import { AgentScheduler, type SchedulableAgent } from './agent-scheduler.js';

const never = new AbortController().signal;

/** Agents whose work the test finishes by hand, and the names of the busy ones. */
function heldAgents(...names: string[]) {
  const working: string[] = [];
  const finish = new Map<string, () => void>();
  const agents = names.map(
    (name): SchedulableAgent => ({
      name,
      run: async ({ payload }) => {
        working.push(name);
        await new Promise<void>((resolve) => finish.set(name, resolve));
        return `${name}: ${payload}`;
      },
    }),
  );
  return { agents, working, finish: (name: string) => finish.get(name)?.() };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('AgentScheduler', () => {
  it('runs tasks one after another and keeps their order', async () => {
    const { agents, working, finish } = heldAgents('a', 'b');
    const scheduler = new AgentScheduler();
    for (const agent of agents) scheduler.register(agent);
    const done = scheduler.sequential(
      [
        { agent: 'b', payload: 1 },
        { agent: 'a', payload: 2 },
      ],
      never,
    );
    await turn();
    expect(working).toEqual(['b']);
    finish('b');
    await turn();
    expect(working).toEqual(['b', 'a']);
    finish('a');
    expect(scheduler.aggregate(await done)).toEqual({ payloads: ['b: 1', 'a: 2'], failures: [] });
  });

  it('runs no more tasks in parallel than its limit', async () => {
    const { agents, working, finish } = heldAgents('a', 'b', 'c');
    const scheduler = new AgentScheduler({ maxParallel: 2 });
    for (const agent of agents) scheduler.register(agent);
    const done = scheduler.parallel(
      agents.map(({ name }) => ({ agent: name, payload: 0 })),
      never,
    );
    await turn();
    expect(working).toEqual(['a', 'b']);
    expect(scheduler.getAgents().map(({ status }) => status)).toEqual(['running', 'running', 'idle']);
    finish('b');
    await turn();
    expect(working).toEqual(['a', 'b', 'c']);
    finish('a');
    finish('c');
    expect((await done).map(({ agent }) => agent)).toEqual(['a', 'b', 'c']);
  });

  it('continues when an agent fails or is missing', async () => {
    const scheduler = new AgentScheduler();
    scheduler.register({ name: 'good', run: async () => 'fine' });
    scheduler.register({ name: 'bad', run: () => Promise.reject(new Error('no disk')) });
    const results = await scheduler.parallel(
      ['bad', 'gone', 'good'].map((agent) => ({ agent, payload: null })),
      never,
    );
    expect(scheduler.aggregate(results)).toEqual({
      payloads: ['fine'],
      failures: [
        { agent: 'bad', error: 'no disk' },
        { agent: 'gone', error: 'No registered agent fits "gone".' },
      ],
    });
  });

  it('gives a task to an agent that has the capability, and names sender and receiver', async () => {
    const scheduler = new AgentScheduler({ name: 'main', now: () => 7 });
    const requests: unknown[] = [];
    scheduler.register({ name: 'other', run: async () => undefined });
    scheduler.register({
      name: 'helper',
      version: '1.2.0',
      capabilities: ['docs'],
      run: async (request) => {
        requests.push(request);
        return 'answer';
      },
    });
    const [result] = await scheduler.sequential([{ capability: 'docs', payload: 'how?' }], never);
    expect(requests).toEqual([
      {
        id: expect.any(String),
        type: 'request',
        sender: 'main',
        receiver: 'helper',
        payload: 'how?',
        timestamp: 7,
      },
    ]);
    expect(result).toMatchObject({
      ok: true,
      response: { type: 'response', sender: 'helper', receiver: 'main', payload: 'answer' },
    });
    expect(scheduler.getAgents()[1]).toEqual({
      name: 'helper',
      version: '1.2.0',
      capabilities: ['docs'],
      status: 'idle',
    });
  });

  it('starts no task once it is cancelled', async () => {
    const scheduler = new AgentScheduler();
    scheduler.register({ name: 'a', run: () => Promise.reject(new Error('it ran')) });
    const [result] = await scheduler.sequential([{ agent: 'a', payload: 1 }], AbortSignal.abort());
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining('abort') });
  });

  it('refuses a name that is taken, and frees it again', () => {
    const scheduler = new AgentScheduler();
    const remove = scheduler.register({ name: 'a', run: async () => 1 });
    expect(() => scheduler.register({ name: 'a', run: async () => 2 })).toThrow('registered already');
    remove();
    scheduler.register({ name: 'a', run: async () => 2 });
  });
});
