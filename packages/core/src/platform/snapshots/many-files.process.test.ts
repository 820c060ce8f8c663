import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SnapshotService } from './service.js';
import { CALL, type TestFolder, testFolder } from './snapshots.test-helper.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.cleanup());

it('indexes and copies 5,000 files, and undoes 300 changes', async () => {
  const text = 'x'.repeat(1_490);
  for (let number = 0; number < 100; number++) {
    const directory = folder.at(join(`d${number % 20}`, `e${number}`));
    mkdirSync(directory, { recursive: true });
    for (let file = 0; file < 50; file++)
      writeFileSync(join(directory, `f${file}`), `${number}/${file} ${text}`);
  }
  const { storeDir, root } = folder;
  const options = { storeDir, globalDir: storeDir, roots: [root], maxBytes: 500_000_000 };
  const service = new SnapshotService(options);
  await service.start();
  const first = await service.beforeCommand(CALL);
  expect(first.uncoveredCount).toBe(0);
  expect((await service.afterCall(first)).changes).toEqual([]);
  const second = await service.beforeCommand(CALL);
  for (let number = 0; number < 300; number++) {
    folder.put(join(`d${number % 20}`, `e${number % 100}`, `f${Math.floor(number / 100)}`), 'changed');
  }
  expect((await service.afterCall(second)).changes).toHaveLength(300);
  const result = await service.undo('last');
  expect(result.steps.filter(({ status }) => status === 'done')).toHaveLength(300);
  await service.close();

  const next = new SnapshotService(options);
  await next.start();
  const third = await next.beforeCommand(CALL);
  expect((await next.afterCall(third)).changes).toEqual([]);
  await next.close();
}, 300_000);
