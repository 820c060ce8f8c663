/** Prints the cost of a tree of 20,000 files. Asserts only what must be true on any machine. */
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

it('indexes and copies 20,000 files, and undoes 1,000 changes', async () => {
  const text = 'x'.repeat(1_490);
  for (let number = 0; number < 400; number++) {
    const directory = folder.at(join(`d${number % 20}`, `e${number}`));
    mkdirSync(directory, { recursive: true });
    for (let file = 0; file < 50; file++)
      writeFileSync(join(directory, `f${file}`), `${number}/${file} ${text}`);
  }
  const { storeDir, root } = folder;
  const options = { storeDir, globalDir: storeDir, roots: [root], maxBytes: 500_000_000 };
  const service = new SnapshotService(options);
  const lines: string[] = [];
  const measured = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    lines.push(`${name.padEnd(44)} ${Math.round(performance.now() - start)} ms`);
    return result;
  };

  await measured('worker started, index cold', () => service.start());
  const first = await measured('rest of 30 MB copied, first command may run', () =>
    service.beforeCommand(CALL),
  );
  expect(first.uncoveredCount).toBe(0);
  await measured('after it, nothing changed', () => service.afterCall(first));
  const second = await measured('before a command, index warm', () => service.beforeCommand(CALL));
  for (let number = 0; number < 1_000; number++) {
    folder.put(join(`d${number % 20}`, `e${number % 400}`, `f${Math.floor(number / 400)}`), 'changed');
  }
  const record = await measured('after it, 1,000 files changed', () => service.afterCall(second));
  expect(record.changes).toHaveLength(1_000);
  const result = await measured('undo of 1,000 files', () => service.undo('last'));
  expect(result.steps.filter(({ status }) => status === 'done')).toHaveLength(1_000);
  await service.close();

  const next = new SnapshotService(options);
  await measured('next session: worker started, index cold', () => next.start());
  const third = await measured('its first command may run', () => next.beforeCommand(CALL));
  expect((await next.afterCall(third)).changes).toEqual([]);
  await next.close();
  process.stdout.write(`${lines.join('\n')}\n`);
}, 300_000);
