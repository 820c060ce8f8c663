import type { ServerResponse } from 'node:http';
import { startCompanion } from '@gemini-cli/test-utils/rig';
import { expect, it } from 'vitest';
import { editor, reason, until } from './ide-client.test-helper.js';

it('connects again once when the window was reloaded, with another port', async () => {
  const { client, companion, cwd, changes } = await editor();
  await client.connect();
  await companion.close();
  const reloaded = await startCompanion({ tmpdir: cwd, roots: [cwd] });
  await reloaded.untilConnected();
  await until(() => client.status.kind === 'connected');
  expect(changes).toContain('connecting');
});

it('says that the connection was lost when the editor does not come back', async () => {
  const { client, companion } = await editor({ state: { isTrusted: false } });
  await client.connect();
  await client.ready();
  await companion.close();
  await until(() => client.status.kind === 'disconnected');
  expect(reason(client)).toBe('The connection to VS Code was lost. Run /ide enable to connect again.');
  // What it said about trust holds until it says something else.
  expect(client.context).toEqual({ openFiles: [], isTrusted: false });
});

it('finds a window again that takes a minute to reload, without delaying the prompts meanwhile', async () => {
  let passed = 0;
  const looks: (() => void)[] = [];
  const { client, companion, cwd } = await editor(
    {},
    {
      wait: (ms) => {
        passed += ms;
        return passed < 60_000 ? Promise.resolve() : new Promise((resolve) => looks.push(resolve));
      },
    },
  );
  await client.connect();
  await companion.close();
  await until(() => looks.length > 0);
  expect(reason(client)).toContain('The connection to VS Code was lost');
  let isReady = false;
  void client.ready().then(() => {
    isReady = true;
  });
  // It is ready without waiting for anything.
  await new Promise((resolve) => setImmediate(resolve));
  expect(isReady).toBe(true);
  const reloaded = await startCompanion({ tmpdir: cwd, roots: [cwd] });
  for (const look of looks) look();
  await reloaded.untilConnected();
  await until(() => client.status.kind === 'connected');
});

it('stops looking for a window that does not come back', async () => {
  let waits = 0;
  const { client, companion } = await editor(
    {},
    {
      wait: async () => {
        waits++;
      },
    },
  );
  await client.connect();
  await companion.close();
  await until(() => waits === 70);
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect([waits, client.status.kind]).toEqual([70, 'disconnected']);
});

it('stops looking for an editor that hangs up each time', async () => {
  let stream: ServerResponse | undefined;
  const { client, companion } = await editor({
    before: ({ method }, response) => {
      if (method !== 'GET') return false;
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      return true;
    },
  });
  await client.connect();
  while (client.status.kind !== 'disconnected') {
    await until(() => client.status.kind !== 'connected' || stream !== undefined);
    if (client.status.kind === 'connected') stream?.end();
    stream = undefined;
    await until(() => client.status.kind !== 'connected');
    await until(() => client.status.kind !== 'connecting');
  }
  expect(reason(client)).toMatch(/VS Code ends the connection again and again.* \/ide enable/);
  const asked = companion.requests.length;
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect([client.status.kind, companion.requests.length]).toEqual(['disconnected', asked]);
});

it('delays one prompt, not each, when the editor does not say what is open', async () => {
  const { client } = await editor({
    before: ({ method }, response) => method === 'GET' && !!response.writeHead(405).end(),
  });
  await client.connect();
  await client.ready();
  let isReady = false;
  void client.ready().then(() => {
    isReady = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isReady).toBe(true);
});

it('delays one prompt, not each, when the editor hangs', async () => {
  const { client } = await editor({ before: () => true });
  void client.connect();
  await client.ready();
  expect(client.isTrying).toBe(true);
  let isReady = false;
  void client.ready().then(() => {
    isReady = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isReady).toBe(true);
});
