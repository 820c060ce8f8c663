/** A web page or another user of this machine calls the A2A server (row 21). */
import { request } from 'node:http';
import { expect } from 'vitest';
import { a2aRig, message, part, startServer, Turn } from '../a2a/a2a-rig.js';
import { callTool } from '../test-utils.js';
import { attack } from './attack.js';

interface Call {
  method?: string;
  path?: string;
  headers: Record<string, string>;
  body?: string;
}

function call(origin: string, { method = 'POST', path = '/', headers, body }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(origin + path, { method, headers, agent: false }, (incoming) => {
      incoming.resume();
      incoming.once('end', () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

const SEND = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: {
    message: { kind: 'message', role: 'user', messageId: 'x', parts: [{ kind: 'text', text: 'rm -rf .' }] },
  },
});
const JSON_TYPE = { 'content-type': 'application/json' };

attack(21, 'web pages, rebound names and forms reach no task of the A2A server', async () => {
  const rig = await a2aRig({ files: { 'keep.txt': 'kept' } });
  const { origin } = await startServer(rig, { GEMINI_YOLO_MODE: 'true' });
  const { port } = new URL(origin);
  for (const headers of [
    { ...JSON_TYPE, origin: 'https://evil.example' },
    { ...JSON_TYPE, origin: 'null' },
    { ...JSON_TYPE, origin },
    { ...JSON_TYPE, host: `evil.example:${port}` },
    { ...JSON_TYPE, host: `localhost.evil.example:${port}` },
    { ...JSON_TYPE, host: '127.0.0.1:1' },
  ])
    expect({ headers, status: await call(origin, { headers, body: SEND }) }).toEqual({
      headers,
      status: 403,
    });
  expect(await call(origin, { method: 'GET', path: '/tasks/metadata', headers: {} })).toBe(204);
  expect(rig.model.requests).toHaveLength(0);
  expect(rig.read('keep.txt')).toBe('kept');
});

attack(21, 'the A2A server reads no request that a web page may send without asking', async () => {
  const rig = await a2aRig();
  const { origin } = await startServer(rig, { GEMINI_YOLO_MODE: 'true' });
  // What a page may send without asking first.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
    expect(await call(origin, { headers: { 'content-type': type }, body: SEND })).toBe(415);
  expect(rig.model.requests).toHaveLength(0);
});

attack(21, 'the page of the A2A server takes no form of another page', async () => {
  const rig = await a2aRig();
  const { origin } = await startServer(rig, { GEMINI_YOLO_MODE: 'true' });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const headers of [form, { ...form, origin: 'https://evil.example' }, { ...form, origin: 'null' }])
    expect(await call(origin, { path: '/ui/tasks', headers, body: 'text=rm' })).toBe(403);
  expect(rig.model.requests).toHaveLength(0);
});

attack(21, 'another user of the machine gets nothing from the A2A server without its token', async () => {
  const rig = await a2aRig();
  const { origin } = await startServer(rig, { CODER_AGENT_AUTH_TOKEN: 'the-token-of-the-owner' });
  const guesses = [
    '',
    'Bearer',
    'Bearer the-token-of-the-owne',
    'Bearer the-token-of-the-ownerr',
    `Basic ${btoa('a:b')}`,
  ];
  for (const authorization of guesses) {
    for (const path of ['/', '/ui', '/metrics', '/healthz', '/tasks/metadata', '/listCommands'])
      expect(await call(origin, { method: 'GET', path, headers: { authorization } })).toBe(401);
    expect(await call(origin, { headers: { ...JSON_TYPE, authorization }, body: SEND })).toBe(401);
  }
  expect(rig.model.requests).toHaveLength(0);
});

attack(
  21,
  'a client of the A2A server cannot declare a folder trusted, or leave the allowed root',
  async () => {
    const rig = await a2aRig({ trust: false, files: { 'inside/a.txt': 'A' } });
    const server = await startServer(rig, {
      CODER_AGENT_WORKSPACE_PATH: rig.path('inside'),
      GEMINI_FOLDER_TRUST: 'true',
    });
    const client = await server.client();
    const outside = await Turn.of(client.sendMessageStream(message('hi', { workspace: rig.workspace })));
    expect(outside.state).toBe(4);
    rig.model.replies([callTool('write_file', { file_path: 'a.txt', content: 'B' })]);
    const request = message([part({ $case: 'text', value: 'write' })], {
      workspace: rig.path('inside'),
      autoExecute: true,
    });
    Object.assign(request.message.metadata?.coderAgent ?? {}, { isTrusted: true });
    const turn = await Turn.of(client.sendMessageStream(request));
    expect(turn.state).toBe(6);
    expect(turn.confirmation.callId).not.toBe('');
    expect(rig.read('inside/a.txt')).toBe('A');
  },
);
