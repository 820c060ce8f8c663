import { expect, it } from 'vitest';
import { StdioTransport } from './stdio.js';

it('starts no server after it was closed while its sandbox was prepared', async () => {
  let prepared: () => void = () => undefined;
  const preparing = new Promise<void>((resolve) => {
    prepared = resolve;
  });
  let cleanedUp = 0;
  const run = { command: process.execPath, args: ['-e', 'process.stdin.resume()'], cwd: '/', env: {} };
  const transport = new StdioTransport({
    serverName: 's',
    ...run,
    isolate: async () => {
      await preparing;
      return { ...run, cleanup: async () => void cleanedUp++ };
    },
  });
  const started = transport.start();
  const closed = transport.close();
  prepared();
  await expect(started).rejects.toThrow('stopped before it had started');
  await closed;
  expect(cleanedUp).toBe(1);
});
