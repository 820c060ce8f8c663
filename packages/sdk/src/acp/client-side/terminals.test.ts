/** Terminals of a client that answers late. */
import type { AgentContext } from '@agentclientprotocol/sdk';
import { expect, it } from 'vitest';
import { ClientTerminals } from './terminals.js';

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
