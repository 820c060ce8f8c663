import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Storage } from '../platform/storage/storage.js';
import { composeSnapshots, type SnapshotServices } from './compose-snapshots.js';

let root: string;
let directories: string[];
let snapshots: SnapshotServices | undefined;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-prepared-')));
  for (const name of ['home', 'project', 'added']) mkdirSync(join(root, name));
  directories = [join(root, 'project')];
  snapshots = composeSnapshots({
    parameters: { undo: { enabled: true, maxBytes: 1_000_000 }, checkpointing: false },
    sessionId: () => 'session-1',
    path: undefined,
    storage: new Storage({
      globalDir: join(root, 'home'),
      projectRoot: join(root, 'project'),
      projectId: 'project',
    }),
    directories: () => directories,
    redact: (text) => text,
    notice: (message) => {
      throw new Error(message);
    },
  });
});
afterEach(async () => {
  await snapshots?.close();
  rmSync(root, { recursive: true, force: true });
});

it('a folder that was added after the snapshots were prepared is covered', async () => {
  await snapshots?.prepare();
  directories.push(join(root, 'added'));
  const service = await snapshots?.open();
  const handle = await service?.beforeCommand({ callId: '1', toolName: 'run', promptId: 'p' });
  writeFileSync(join(root, 'added', 'new.txt'), 'text');
  const record = handle && (await service?.afterCall(handle));
  expect(record?.changes.map(({ path }) => path)).toEqual([join(root, 'added', 'new.txt')]);
});
