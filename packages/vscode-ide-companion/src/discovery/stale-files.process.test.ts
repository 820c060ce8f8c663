import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DiscoveryFile } from './discovery-file.js';

let folder: string;
let listening: Server;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'companion-'));
  listening = createServer();
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  listening.close();
  rmSync(folder, { recursive: true, force: true });
});

it('removes the files of ended processes and of closed ports, and nothing else', async () => {
  const own = new DiscoveryFile(folder, process.pid, 1);
  own.write({ port: 1, workspacePath: '', authToken: '', ideInfo: { name: 'vscode', displayName: '' } });
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const { port } = listening.address() as AddressInfo;
  const closed = await closedPort();
  const kept = [`gemini-ide-server-${process.pid}-${port}.json`, 'something-else.json'];
  const stale = [
    `gemini-ide-server-${ended}-${port}.json`,
    `gemini-ide-server-${process.pid}-${closed}.json`,
    `gemini-ide-server-${process.pid}-99999.json`,
  ];
  for (const name of [...kept, ...stale]) writeFileSync(join(folder, 'gemini/ide', name), '{}');
  await own.removeStale();
  expect(readdirSync(join(folder, 'gemini/ide')).sort()).toEqual(
    [`gemini-ide-server-${process.pid}-1.json`, ...kept].sort(),
  );
});

it('has nothing to remove where no window was before', async () => {
  await new DiscoveryFile(folder, 1, 1).removeStale();
  expect(readdirSync(folder)).toEqual([]);
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
