/** What every store of tasks does, and what each does when its place fails. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TaskState } from '@a2a-js/sdk';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { TaskRecord, TaskStore } from '../contract.js';
import { newTask } from '../tasks/new-task.js';
import { textPart } from '../turns/events/event-factory.js';
import { openCloudStores } from './cloud/open-cloud.js';
import { StorageServer } from './cloud/storage-server.test-helper.js';
import { FolderTaskStore } from './folder-store.js';
import { MemoryTaskStore } from './memory-store.js';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function folderOf(): string {
  const { path, cleanup } = tempDir('stores-');
  cleanups.push(cleanup);
  return path;
}

async function storage(): Promise<StorageServer> {
  const server = await StorageServer.start();
  cleanups.push(() => server.close());
  return server;
}

const openCloud = async (server: StorageServer, root?: string) => {
  const env = { STORAGE_EMULATOR_HOST: server.host, GOOGLE_CLOUD_PROJECT: 'p' };
  return (await openCloudStores('tasks', env, { cwd: '/', ...(root !== undefined && { root }) })).tasks;
};

function record(text: string, updatedAt: string, state = TaskState.TASK_STATE_INPUT_REQUIRED): TaskRecord {
  const made = newTask({ kind: 'agent-settings', workspacePath: '' }, 'context');
  made.updatedAt = updatedAt;
  made.task.status = { state, message: undefined, timestamp: updatedAt };
  made.task.history.push({
    messageId: 'm',
    contextId: 'context',
    taskId: made.id,
    role: 1,
    parts: [
      textPart(text),
      {
        content: { $case: 'raw', value: Buffer.from([0, 255, 7]) },
        metadata: undefined,
        filename: 'a.bin',
        mediaType: '',
      },
    ],
    metadata: { a: 1 },
    extensions: [],
    referenceTaskIds: [],
  });
  return {
    ...made,
    model: 'm',
    cost: 0.5,
    turn: 3,
    messageIds: ['m'],
    conversation: { history: [{ role: 'user' }] },
  };
}

const STORES: [name: string, open: () => Promise<TaskStore>][] = [
  ['memory', async () => new MemoryTaskStore()],
  ['folder', () => FolderTaskStore.open(folderOf())],
  ['Cloud Storage', async () => openCloud(await storage())],
];

describe.each(STORES)('the store in %s', (_name, open) => {
  it('gives back what was saved, whole, and forgets what was deleted', async () => {
    const store = await open();
    cleanups.push(() => store.close());
    const saved = record('Grüße 🎉', '2026-01-01T00:00:00.000Z');
    await store.save(saved);
    saved.task.history.push(...saved.task.history);
    const loaded = await store.load(saved.id);
    expect(loaded).toEqual({ ...saved, task: { ...saved.task, history: [saved.task.history[0]] } });
    expect(await store.load('unknown')).toBeUndefined();
    await store.delete(saved.id);
    expect(await store.load(saved.id)).toBeUndefined();
  });

  it('lists in pages, the last change first, by context and state', async () => {
    const store = await open();
    cleanups.push(() => store.close());
    const records = Array.from({ length: 5 }, (_, index) =>
      record(
        `t${index}`,
        `2026-01-0${index + 1}T00:00:00.000Z`,
        index % 2 ? TaskState.TASK_STATE_FAILED : undefined,
      ),
    );
    for (const one of records) await store.save(one);
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await store.list({ pageSize: 2, contextId: 'context', ...(pageToken && { pageToken }) });
      expect(page.totalSize).toBe(5);
      seen.push(...page.records.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken);
    expect(seen).toEqual(records.map(({ id }) => id).reverse());
    expect((await store.list({ pageSize: 10, state: 'TASK_STATE_FAILED' })).records).toHaveLength(2);
    expect((await store.list({ pageSize: 10, contextId: 'other' })).totalSize).toBe(0);
    await expect(store.list({ pageSize: 1, pageToken: 'nonsense' })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('never lets an id leave its place', async () => {
    const store = await open();
    cleanups.push(() => store.close());
    if (!store.isDurable) return expect(await store.load('../x')).toBeUndefined();
    for (const id of ['../x', 'a/b', '', '.', 'a\0', 'x'.repeat(200)])
      await expect(store.load(id)).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('the folder', () => {
  it('keeps broken and foreign files, removes those of interrupted writes, and serves the rest', async () => {
    const folder = folderOf();
    const store = await FolderTaskStore.open(folder);
    const good = record('good', '2026-01-01T00:00:00.000Z');
    await store.save(good);
    await store.close();
    const tasks = join(folder, 'tasks');
    writeFileSync(join(tasks, 'broken.json'), '{"id":');
    writeFileSync(join(tasks, 'newer.json'), '{"format":99}');
    writeFileSync(join(tasks, '.gemini-write-1-ab.tmp'), 'half');
    const again = await FolderTaskStore.open(folder);
    cleanups.push(() => again.close());
    expect((await again.list({ pageSize: 10 })).records).toEqual([good]);
    expect(readdirSync(tasks).sort()).toEqual(['broken.json', `${good.id}.json`, 'newer.json'].sort());
    expect(await again.load('broken')).toBeUndefined();
  });

  it('belongs to one server at a time', async () => {
    const folder = folderOf();
    const store = await FolderTaskStore.open(folder);
    await expect(FolderTaskStore.open(folder)).rejects.toThrow(/Another server uses/);
    await store.close();
    await (await FolderTaskStore.open(folder)).close();
  });

  it('says where it cannot keep tasks', async () => {
    const file = join(folderOf(), 'file');
    writeFileSync(file, '');
    await expect(FolderTaskStore.open(file)).rejects.toThrow(/^Tasks cannot be kept in /);
  });
});

describe('Cloud Storage', () => {
  it('makes the bucket, keeps the layout, and says what a task is in plain fields', async () => {
    const server = await storage();
    const store = await openCloud(server);
    cleanups.push(() => store.close());
    const one = record('hi', '2026-01-01T00:00:00.000Z');
    await store.save(one);
    expect([...(server.buckets.get('tasks')?.keys() ?? [])]).toEqual([`tasks/${one.id}/metadata.tar.gz`]);
    expect(server.requests.filter((line) => line === 'POST /storage/v1/b')).toHaveLength(1);
    await openCloud(server);
    expect(server.requests.filter((line) => line === 'POST /storage/v1/b')).toHaveLength(1);
  });

  it('brings the workspace to a machine that lacks it, links and long names too, once for each change', async () => {
    const server = await storage();
    const folder = join(folderOf(), 'work');
    const deep = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, 'ü.txt'), 'deep');
    writeFileSync(join(folder, 'run.sh'), '#!/bin/sh\n');
    chmodSync(join(folder, 'run.sh'), 0o755);
    symlinkSync('run.sh', join(folder, 'link'));
    const one = record('hi', '2026-01-01T00:00:00.000Z');
    one.settings = { kind: 'agent-settings', workspacePath: folder };
    const store = await openCloud(server);
    cleanups.push(() => store.close());
    await store.save(one);
    await store.save(one);
    expect(server.requests.filter((line) => line.startsWith('POST /upload'))).toHaveLength(3);
    rmSync(folder, { recursive: true });
    await store.load(one.id);
    expect(readFileSync(join(deep, 'ü.txt'), 'utf8')).toBe('deep');
    expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('#!/bin/sh\n');
    writeFileSync(join(folder, 'run.sh'), 'changed');
    await store.load(one.id);
    expect(readFileSync(join(folder, 'run.sh'), 'utf8')).toBe('changed');
  });

  it('neither reads nor writes a folder outside the root that the server may work in', async () => {
    const server = await storage();
    const base = folderOf();
    const [root, outside] = [join(base, 'root'), join(base, 'outside')];
    mkdirSync(root);
    mkdirSync(outside);
    symlinkSync(outside, join(root, 'link'));
    writeFileSync(join(outside, 'private.txt'), 'private');
    const free = await openCloud(server);
    const bound = await openCloud(server, root);
    cleanups.push(
      () => free.close(),
      () => bound.close(),
    );
    const one = record('hi', '2026-01-01T00:00:00.000Z');
    const stored = () => [...(server.buckets.get('tasks')?.keys() ?? [])].join();
    for (const workspacePath of [outside, '../outside', 'link', join(root, 'link')]) {
      one.settings = { kind: 'agent-settings', workspacePath };
      await bound.save(one);
      expect(stored(), workspacePath).not.toContain('workspace');
    }
    one.settings = { kind: 'agent-settings', workspacePath: outside };
    await free.save(one);
    expect(stored()).toContain('workspace');
    rmSync(outside, { recursive: true });
    expect((await bound.load(one.id))?.id).toBe(one.id);
    expect(readdirSync(base)).toEqual(['root']);
    for (const workspacePath of ['link', 'link/below', '../other']) {
      one.settings = { kind: 'agent-settings', workspacePath };
      await bound.save(one);
      expect((await bound.load(one.id))?.id).toBe(one.id);
      expect(readdirSync(base)).toEqual(['root']);
    }
  });

  it('tries again when the service is busy, and says what it did not take', async () => {
    const server = await storage();
    const store = await openCloud(server);
    cleanups.push(() => store.close());
    server.failures.push(503, 429);
    const one = record('hi', '2026-01-01T00:00:00.000Z');
    await store.save(one);
    expect((await store.load(one.id))?.id).toBe(one.id);
    server.failures.push(403);
    await expect(store.save(one)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('(403)'),
    });
    await expect(
      openCloudStores('other', { STORAGE_EMULATOR_HOST: server.host }, { cwd: '/' }),
    ).rejects.toThrow(/Set GOOGLE_CLOUD_PROJECT/);
  });
});
