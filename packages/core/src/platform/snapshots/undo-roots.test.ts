import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownerName } from '../locks/lock-owner.js';
import { SnapshotEngine } from './engine.js';
import { newRecord } from './recorder.js';
import { CALL, type TestFolder, testFolder } from './snapshots.test-helper.js';
import { SnapshotStore } from './store.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.cleanup());

/** Records a change of a file outside the project, by a program that says these were the workspace folders. */
function recordOutside(name: string, roots: readonly string[]): string {
  const file = join(folder.base, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'planted');
  const engine = new SnapshotEngine({
    storeDir: folder.storeDir,
    globalDir: join(folder.base, '.gemini'),
    roots,
    maxBytes: 50_000_000,
  });
  const { id } = engine.beforeTool(CALL, [file]);
  writeFileSync(file, 'now');
  engine.after(id);
  return file;
}

it.each([
  ['of a record with the project only', 'beside', () => [folder.root]],
  ['of a record whose folder contains the project', 'beside', () => [folder.root, folder.base]],
  ['of a record whose folder is the whole disk', 'beside', () => ['/']],
  ['below a hidden folder', '.ssh/keys', () => [folder.root, join(folder.base, '.ssh')]],
  ['in our own folder', '.gemini/settings.json', () => [folder.root, join(folder.base, '.gemini')]],
])('refuses a file outside the project %s', (_case, name, roots) => {
  const file = recordOutside(name, roots());
  const { steps, undoId } = folder.engine().undo('last', { force: true });
  expect(steps).toMatchObject([{ path: file, status: 'unsafe', detail: expect.stringContaining('outside') }]);
  expect(undoId).toBeUndefined();
  expect(folder.engine().undo('last', { isRecorded: false }).steps).toMatchObject([{ status: 'unsafe' }]);
  expect(readFileSync(file, 'utf8')).toBe('now');
});

it('copies nothing of a folder that a forged record of a killed process names', () => {
  const secrets = join(folder.base, '.ssh');
  mkdirSync(secrets);
  writeFileSync(join(secrets, 'key'), 'very private words');
  const store = new SnapshotStore({ directory: folder.storeDir, maxBytes: 50_000_000 });
  const owner = ownerName().replace(/^\d+/, '4194305');
  const record = { ...newRecord('command', CALL, [folder.root, secrets]), owner };
  store.exclusive(() => store.append({ t: 'open', record }));
  const engine = folder.engine();
  engine.start();
  expect(engine.recover()).toHaveLength(1);
  while (!engine.copySome());
  const stored = readdirSync(folder.storeDir).map((name) =>
    readFileSync(join(folder.storeDir, name), 'utf8'),
  );
  expect(stored.join()).not.toContain('very private words');
});

it('restores the memory for all projects, which the model may write', () => {
  const file = recordOutside('.gemini/GEMINI.md', [folder.root]);
  const engine = new SnapshotEngine({
    storeDir: folder.storeDir,
    globalDir: join(folder.base, '.gemini'),
    roots: [folder.root],
    maxBytes: 50_000_000,
  });
  expect(engine.undo('last').steps).toMatchObject([{ status: 'done' }]);
  expect(readFileSync(file, 'utf8')).toBe('planted');
});

it('restores a file of a folder that the session had added to the workspace', () => {
  const file = recordOutside('library/a', [folder.root, join(folder.base, 'library')]);
  expect(folder.engine().undo('last').steps).toMatchObject([{ status: 'done' }]);
  expect(readFileSync(file, 'utf8')).toBe('planted');
});
