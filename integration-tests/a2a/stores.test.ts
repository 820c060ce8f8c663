/** Streams that are resumed and tasks that come back, with the real server and the stores that outlive it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StorageServer } from '../../packages/a2a-server/src/stores/cloud/storage-server.test-helper.js';
import {
  newMessage,
  readStream,
  streamRequest,
  V1,
} from '../../packages/a2a-server/src/test-app.test-helper.js';
import { callTool, chunks, text, waitUntil } from '../test-utils.js';
import { a2aRig, answer, folderOf, message, startServer, Turn } from './a2a-rig.js';

const INPUT_REQUIRED = 6;

describe('a stream that breaks off', { timeout: 60_000 }, () => {
  it('is resumed by Last-Event-ID while the turn continues, without gap or repeat', async () => {
    const rig = await a2aRig();
    const server = await startServer(rig);
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const words = Array.from({ length: 200 }, (_, index) => `w${index} `);
    rig.model.replies([chunks(words.slice(0, 100)), waitUntil(gate), chunks(words.slice(100))]);
    const settings = { coderAgent: { kind: 'agent-settings', workspacePath: rig.workspace } };
    const request = streamRequest('SendStreamingMessage', newMessage('go', { metadata: settings }), V1);
    const first = await readStream(server.url, request, (_event, all) =>
      JSON.stringify(all.at(-1)).includes('w50 '),
    );
    const head: object = first[0]?.data ?? {};
    const { id } = (head as { result: { task: { id: string } } }).result.task;
    const last = first.at(-1)?.id ?? '';
    const rest = readStream(
      server.url,
      streamRequest('SubscribeToTask', { id }, { ...V1, 'last-event-id': last }),
    );
    go();
    const events = [...first, ...(await rest)].filter((event) => event.id !== undefined);
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => `1-${index + 1}`));
    const said = events.map(({ data }) => textIn(data)).join('');
    expect(said).toBe(words.join(''));
  });
});

function textIn(data: object): string {
  const { result } = data as {
    result?: {
      statusUpdate?: {
        metadata?: { coderAgent?: { kind: string } };
        status: { message?: { parts: { text?: string }[] } };
      };
    };
  };
  const update = result?.statusUpdate;
  if (update?.metadata?.coderAgent?.kind !== 'text-content') return '';
  return (update.status.message?.parts ?? []).map((part) => part.text ?? '').join('');
}

describe('Cloud Storage', { timeout: 90_000 }, () => {
  it('brings a task with its conversation and a waiting confirmation to another server', async () => {
    const storage = await StorageServer.start();
    onTestFinished(() => storage.close());
    const env = { GCS_BUCKET_NAME: 'tasks', STORAGE_EMULATOR_HOST: storage.host, GOOGLE_CLOUD_PROJECT: 'p' };
    const rig = await a2aRig();
    const workspace = folderOf(rig, 'w', { 'a.txt': 'one\n' });
    const first = await startServer(rig, env);
    rig.model.replies([callTool('write_file', { file_path: 'a.txt', content: 'two\n' }, 'call-1')]);
    const asked = await Turn.of(
      (await first.client()).sendMessageStream(message('Write two', { workspace })),
    );
    expect(asked.state).toBe(INPUT_REQUIRED);
    first.process.kill('SIGKILL');
    await first.process.done;

    const second = await startServer(rig, env);
    const client = await second.client();
    rig.model.replies([text('Written.')]);
    const { taskId, contextId } = asked;
    const reply = answer(asked.confirmation.callId, 'proceed_once');
    const done = await Turn.of(client.sendMessageStream(message(reply, { taskId, contextId })));
    expect(done).toMatchObject({ text: 'Written.', state: INPUT_REQUIRED });
    expect(rig.read('w/a.txt')).toBe('two\n');
    expect(JSON.stringify(rig.model.lastRequest().body.contents)).toContain('Write two');
  });
});

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
}

describe('a full disk', { timeout: 60_000 }, () => {
  it('is told to the client, and what was saved before stays whole', async () => {
    const rig = await a2aRig();
    const folder = rig.path('tasks');
    mkdirSync(folder);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    expect(mounted.status, 'needs the right to mount').toBe(0);
    onTestFinished(() => void spawnSync('umount', [folder]));
    const env = { CODER_AGENT_TASK_DIR: folder };
    const server = await startServer(rig, env);
    const client = await server.client();
    rig.model.replies([text('small')], [text(numbered(30_000))]);
    const small = await Turn.of(client.sendMessageStream(message('hi', { workspace: rig.workspace })));
    expect(small.state).toBe(INPUT_REQUIRED);
    const { taskId, contextId } = small;
    writeFileSync(`${folder}/filler`, Buffer.alloc(900 * 1024));
    const large = client.sendMessageStream(message('more', { taskId, contextId }));
    const outcome = await Turn.of(large).then(
      () => client.getTask({ id: taskId, tenant: '' }).then(JSON.stringify),
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/disk .* is full/);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    server.process.kill('SIGKILL');
    await server.process.done;
    // The message was accepted, so its turn runs again.
    rig.model.replies([text('again')]);
    const again = await (await startServer(rig, env)).client();
    await rig.model.waitForRequest(3);
    expect(JSON.stringify((await again.getTask({ id: taskId, tenant: '' })).history)).toContain('small');
  });
});
