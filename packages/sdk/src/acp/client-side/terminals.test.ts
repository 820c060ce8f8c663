/** Terminals of a client that answers late. */
import type { AgentContext } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { ClientTerminals } from './terminals.js';

describe('a client whose answers are not as the protocol has them', () => {
  const run = (answers: Record<string, unknown>) => {
    const client = {
      request: async (method: string) => {
        if (method === 'terminal/create') return { terminalId: 't' };
        const answer = answers[method];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    } as unknown as AgentContext;
    const terminals = new ClientTerminals({ client, sessionId: 's', onStart: () => undefined });
    return terminals.run({ command: 'make', cwd: '/', signal: new AbortController().signal });
  };
  const wait = 'terminal/wait_for_exit';
  const output = 'terminal/output';

  it.each<[string, Record<string, unknown>, object]>([
    ['nothing', { [wait]: null, [output]: null }, { output: '', exitCode: null }],
    ['values of wrong types', { [wait]: { exitCode: 'x' }, [output]: { output: 7 } }, { exitCode: null }],
    ['the status inside', { [wait]: { exitStatus: { exitCode: 3 } } }, { exitCode: 3 }],
    [
      'the status with the output',
      { [wait]: {}, [output]: { exitStatus: { signal: 'SIGINT' } } },
      { signal: 'SIGINT' },
    ],
    [
      'an error, but the status with the output',
      { [wait]: new Error('unknown method'), [output]: { output: 'made', exitStatus: { exitCode: 0 } } },
      { output: 'made', exitCode: 0 },
    ],
  ])('may answer %s', async (_name, answers, expected) => {
    const result = await run(answers);
    expect(result).toMatchObject(expected);
    expect(result?.error).toBeUndefined();
  });

  it('that loses the terminal fails the call', async () => {
    const gone = new Error('no such terminal');
    expect((await run({ [wait]: gone, [output]: gone }))?.error?.message).toContain('did not say how');
  });
});

it('does not run a command a second time when the client opens its terminal too late', async () => {
  const asked: string[] = [];
  let open: (response: { terminalId: string }) => void = () => undefined;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = {
    request: async (method: string) => {
      asked.push(method);
      if (method === 'terminal/release') release();
      return method === 'terminal/create' ? new Promise((resolve) => (open = resolve)) : {};
    },
  } as unknown as AgentContext;
  const terminals = new ClientTerminals({ client, sessionId: 's', onStart: () => undefined, openMs: 1 });
  const result = await terminals.run({
    command: 'git push',
    cwd: '/',
    signal: new AbortController().signal,
  });
  // Undefined would mean: run it here.
  expect(result?.error?.message).toContain('may have been started');
  open({ terminalId: 't' });
  await released;
  expect(asked).toEqual(['terminal/create', 'terminal/kill', 'terminal/release']);
});
