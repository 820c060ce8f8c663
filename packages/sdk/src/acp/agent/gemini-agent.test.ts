/** What the methods of the protocol guarantee whatever host is behind them. */
import { expect, it } from 'vitest';
import { serveClient } from '../connect.js';
import { CallerError } from '../errors.js';
import type { AcpHost } from '../host.js';
import { agentInfo } from '../initialize.js';
import { inProcess } from '../wire/in-process.js';

it('opens a stored session that is loaded twice at once one time after the other', async () => {
  let running = 0;
  let most = 0;
  const host: AcpHost = {
    info: agentInfo('1'),
    authMethods: [],
    sessionAbilities: {},
    authenticate: async () => undefined,
    list: async () => ({ sessions: [] }),
    open: async () => {
      most = Math.max(most, ++running);
      // Longer than the second request needs to arrive.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      running--;
      throw new CallerError('enough');
    },
  };
  const answers: unknown[] = [];
  let done: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    done = resolve;
  });
  const wire = inProcess((message) => {
    answers.push(message);
    if (answers.length === 3) done();
  });
  const served = serveClient(host, wire.stream);
  wire.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } });
  for (const id of [1, 2]) {
    const params = { sessionId: 'one', cwd: process.cwd(), mcpServers: [] };
    wire.send({ jsonrpc: '2.0', id, method: 'session/load', params });
  }
  await isOver;
  expect(most).toBe(1);
  expect(answers.slice(1)).toMatchObject([
    { id: 1, error: { code: -32602 } },
    { id: 2, error: { code: -32602 } },
  ]);
  await served.close();
});
