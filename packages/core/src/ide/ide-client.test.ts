import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Companion, type CompanionOptions, startCompanion } from '@gemini-cli/test-utils/rig';
import { expect, it, onTestFinished } from 'vitest';
import type { Machine } from './discovery/find-servers.js';
import { IdeClient } from './ide-client.js';

it('connects to the companion that has the folder open, and hears the context', async () => {
  const { client, companion, cwd } = await editor({ state: { isTrusted: true } });
  await client.connect();
  expect(client.status).toEqual({ kind: 'connected', ide: { name: 'vscode', displayName: 'VS Code' } });
  await client.ready();
  expect(client.context).toEqual({ openFiles: [], isTrusted: true });
  await companion.update({ openFiles: [{ path: join(cwd, 'a'), timestamp: 1, isActive: true }] });
  await until(() => client.context?.openFiles.length === 1);
  expect(client.showsDiffs).toBe(true);
});

async function editor(
  options: Partial<CompanionOptions> = {},
  machine: Partial<Machine> = {},
): Promise<{ client: IdeClient; companion: Companion; cwd: string; changes: string[] }> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-ide-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const companion = await startCompanion({ tmpdir: cwd, roots: [cwd], ...options });
  const env = companion.env;
  const changes: string[] = [];
  const client: IdeClient = new IdeClient({
    environment: { variables: env, cwd, home: cwd },
    machine: {
      env,
      cwd,
      userId: process.getuid?.(),
      seesEditor: true,
      isAlive: (pid) => pid === process.pid,
      ancestors: async () => [],
      ...machine,
    },
    onChange: () => void changes.push(client.status.kind),
    wait: () => new Promise((resolve) => setImmediate(resolve)),
  });
  onTestFinished(() => client.disconnect());
  return { client, companion, cwd, changes };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
