/** What the stores of push targets of a single server do; that of the database has a test of its own. */
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCloudStores } from '../stores/cloud/open-cloud.js';
import { StorageServer } from '../stores/cloud/storage-server.test-helper.js';
import { FolderPushStore } from './folder-push-store.js';
import { MemoryPushStore, type PushStore } from './push-store.js';

async function inCloud(): Promise<PushStore> {
  const server = await StorageServer.start();
  onTestFinished(() => server.close());
  const env = { STORAGE_EMULATOR_HOST: server.host, GOOGLE_CLOUD_PROJECT: 'p' };
  return (await openCloudStores('tasks', env, { cwd: '/' })).push;
}

async function inFolder(): Promise<PushStore> {
  const { path, cleanup } = tempDir('push-');
  onTestFinished(() => cleanup());
  return new FolderPushStore(path);
}

const target = (id: string) => ({
  version: '0.3' as const,
  config: {
    tenant: '',
    taskId: 'task',
    id,
    url: 'https://example.com/',
    token: 't',
    authentication: undefined,
  },
});

describe.each([
  ['memory', async () => new MemoryPushStore()],
  ['a folder', inFolder],
  ['Cloud Storage', inCloud],
])('the push store in %s', (_name, open) => {
  it('keeps targets, and which ends of turns were told', async () => {
    const store = await open();
    expect([await store.load('task'), await store.tasks()]).toEqual([[], []]);
    await store.save('task', [target('one')], 4);
    expect([await store.claimEnd('task', 4), await store.claimEnd('task', 5)]).toEqual([false, true]);
    // A second target of the task changes nothing about what was told.
    await store.endTold('task', 5);
    await store.save('task', [target('one'), target('two')], 0);
    expect(await store.claimEnd('task', 5)).toBe(false);
    expect((await store.load('task')).map(({ config }) => config.id)).toEqual(['one', 'two']);
    expect(await store.tasks()).toEqual(['task']);
    await store.save('task', [], 0);
    expect([await store.load('task'), await store.tasks()]).toEqual([[], []]);
  });
});
