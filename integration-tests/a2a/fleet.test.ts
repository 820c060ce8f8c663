/** The built program in all its roles on a real PostgreSQL, as docs/scale.md starts it. */
import {
  ClientFactory,
  createAuthenticatingFetchWithRetry,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import { type ModelServer, PostgresServer, startModelServer } from '@gemini-cli/test-utils/rig';
import { ClientFactory as OldClientFactory } from 'a2a-js-sdk-0.3/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, text } from '../test-utils.js';
import { a2aRig, answer, message, type RunningServer, startServer, Turn } from './a2a-rig.js';

const INPUT_REQUIRED = 6;

let postgres: PostgresServer;
let model: ModelServer;

beforeAll(async () => {
  [postgres, model] = await Promise.all([PostgresServer.start(), startModelServer({ keepBodies: true })]);
}, 120_000);

afterAll(async () => {
  await model.close();
  await postgres.stop();
});

describe('a fleet of the built program', { timeout: 180_000 }, () => {
  it('accepts in one process, works in another, answers in a third; survives the end of the worker', async () => {
    const rig = await a2aRig({ files: { 'a.txt': 'one\n' } });
    const env = {
      CODER_AGENT_DATABASE_URL: await postgres.createDatabase('built'),
      CODER_AGENT_AUTH_TOKEN: 'shared',
      GOOGLE_GEMINI_BASE_URL: model.url,
    };
    const start = (...words: string[]): Promise<RunningServer> => startServer(rig, env, ...words);
    const [one, two, worker] = await Promise.all([
      start('--role', 'api'),
      start('--role', 'api'),
      start('--role', 'worker', '--labels', 'disk-7'),
    ]);
    const headers = { authorization: 'Bearer shared', 'content-type': 'application/json' };
    expect((await fetch(`${worker.origin}/readyz`, { headers })).status).toBe(200);
    expect((await fetch(`${worker.origin}/tasks`, { method: 'POST', headers, body: '{}' })).status).toBe(404);
    expect((await fetch(`${one.origin}/tasks/metadata`, { headers })).status).toBe(501);

    const send = async (server: RunningServer, request: ReturnType<typeof message>) => {
      const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
        headers: async () => ({ authorization: 'Bearer shared' }),
        shouldRetryWithHeaders: async () => undefined,
      });
      const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
      return Turn.of((await factory.createFromUrl(server.origin)).sendMessageStream(request));
    };
    model.replies([callTool('write_file', { file_path: 'a.txt', content: 'two\n' }, 'call-1')]);
    const first = message('Write two', { workspace: rig.workspace });
    Object.assign(first.message.metadata?.['coderAgent'] as object, { labels: ['disk-7'] });
    const asked = await send(one, first);
    expect(asked.state).toBe(INPUT_REQUIRED);
    const { taskId, contextId, confirmation } = asked;
    expect(confirmation.callId).not.toBe('');

    worker.process.kill('SIGKILL');
    await worker.process.done;
    await start('--role', 'worker', '--labels', 'disk-7');
    model.replies([text('Done.')]);
    const done = await send(two, message(answer(confirmation.callId, 'proceed_once'), { taskId, contextId }));
    expect(done).toMatchObject({ text: 'Done.', state: INPUT_REQUIRED });
    expect(rig.read('a.txt')).toBe('two\n');

    const page = await (await fetch(`${one.origin}/ui/tasks/${taskId}`, { headers })).text();
    expect(page).toContain('Done.');
    const metrics = await (await fetch(`${two.origin}/metrics`, { headers })).text();
    expect(metrics).toContain('a2a_messages_total{duplicate="false"} 1');
  });

  it('serves clients of 0.3 with all roles in one process', async () => {
    const rig = await a2aRig();
    const server = await startServer(rig, {
      CODER_AGENT_DATABASE_URL: await postgres.createDatabase('all'),
      GOOGLE_GEMINI_BASE_URL: model.url,
    });
    model.replies([text('Hello from the database.')]);
    const client = await new OldClientFactory().createFromUrl(server.origin);
    const sent = await client.sendMessage({
      message: {
        kind: 'message',
        role: 'user',
        messageId: 'one',
        parts: [{ kind: 'text', text: 'hi' }],
        metadata: { coderAgent: { kind: 'agent-settings', workspacePath: rig.workspace } },
      },
    });
    expect(sent).toMatchObject({ kind: 'task', status: { state: 'input-required' } });
    expect(JSON.stringify(sent)).toContain('Hello from the database.');
    server.process.kill('SIGTERM');
    expect(await server.process.done).toMatchObject({ exitCode: 0 });
  });
});
