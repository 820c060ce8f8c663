import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SnapshotService } from './service.js';
import { CALL, type TestFolder, testFolder } from './snapshots.test-helper.js';
import type { CopyProgress } from './types.js';

let folder: TestFolder;
let service: SnapshotService;
let sessionId: string;
beforeEach(() => {
  sessionId = 'session-1';
  folder = testFolder();
  const { storeDir, root } = folder;
  service = new SnapshotService({
    storeDir,
    globalDir: storeDir,
    roots: [root],
    maxBytes: 10_000_000,
    sessionId: () => sessionId,
  });
});
afterEach(async () => {
  await service.close().catch(() => undefined);
  folder.cleanup();
});

describe('the snapshot service', { timeout: 60_000 }, () => {
  it('records a command, shows a preview with diffs, and undoes it', async () => {
    folder.put('a.txt', 'one\ntwo\n');
    folder.put('b.bin', Buffer.from([0, 1]));
    expect(await service.start()).toEqual([]);
    const handle = await service.beforeCommand({ ...CALL, description: 'sed -i s/two/2/ a.txt' });
    folder.put('a.txt', 'one\n2\n');
    unlinkSync(folder.at('b.bin'));
    const record = await service.afterCall(handle);
    expect(record).toMatchObject({ sessionId: 'session-1', description: 'sed -i s/two/2/ a.txt' });
    const { steps } = await service.preview('last');
    expect(steps.map(({ action, isBinary }) => [action, isBinary])).toEqual([
      ['restore', undefined],
      ['recreate', true],
    ]);
    expect(steps[0]?.diff).toContain('@@ -1,2 +1,2 @@\n one\n-2\n+two\n');
    const { undoId } = await service.undo('last');
    expect(readFileSync(folder.at('a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect((await service.list()).map(({ undoneBy }) => undoneBy)).toEqual([undoId, undefined]);
  });

  it('records each call with the session of that moment', async () => {
    const command = async () => service.afterCall(await service.beforeCommand(CALL));
    expect((await command()).sessionId).toBe('session-1');
    sessionId = 'session-2';
    expect((await command()).sessionId).toBe('session-2');
  });

  it('waits before the first command until contents are copied, and reports progress', async () => {
    for (let number = 0; number < 50; number++) folder.put(`f${number}`, 'x'.repeat(2_000));
    const progress: CopyProgress[] = [];
    const handle = await service.beforeCommand(CALL, (step) => progress.push(step));
    expect(handle.uncoveredCount).toBe(0);
    expect(progress.at(-1)).toEqual({ copiedBytes: 100_000, totalBytes: 100_000 });
    await service.afterCall(handle);
  });

  it('answers for a file tool without indexing the whole folder', async () => {
    folder.put('a', 'old');
    const handle = await service.beforeToolCall({ ...CALL, paths: [folder.at('a')] });
    folder.put('a', 'new');
    expect((await service.afterCall(handle)).changes).toHaveLength(1);
  });

  it('prepared ahead records the first command as usual, and changes of other processes before it are not its own', async () => {
    folder.put('a', 'one');
    await service.afterCall(await service.beforeCommand(CALL));
    service.prepare();
    folder.put('a', 'by someone else');
    const handle = await service.beforeCommand(CALL);
    folder.put('b', 'by the command');
    const { changes } = await service.afterCall(handle);
    expect(changes.map(({ path }) => path)).toEqual([folder.at('b')]);
  });

  it('prepared ahead writes nothing in a project without changes, and is closed at once', async () => {
    for (let number = 0; number < 50; number++) folder.put(`f${number}`, 'text');
    service.prepare();
    await service.close();
    expect(existsSync(folder.storeDir)).toBe(false);
  });

  it('passes on errors with their reason', async () => {
    await expect(service.undo('last')).rejects.toMatchObject({
      reason: 'unknown-snapshot',
      addressee: 'user',
    });
    writeFileSync(join(folder.storeDir, 'log'), 'garbage that is no log');
    await expect(service.beforeCommand(CALL)).rejects.toMatchObject({ reason: 'corrupt' });
    await expect(service.start()).rejects.toMatchObject({ reason: 'corrupt' });
  });

  it('ends open calls when it is closed, and refuses requests afterwards', async () => {
    folder.put('a', 'old');
    await service.beforeCommand(CALL);
    folder.put('a', 'new');
    await service.close();
    await expect(service.list()).rejects.toMatchObject({ reason: 'unavailable' });
    expect(folder.engine().list()).toMatchObject([
      { interrupted: true, changes: [{ path: folder.at('a') }] },
    ]);
  });
});
