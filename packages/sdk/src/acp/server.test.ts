/** An agent of the SDK behind the protocol, in this process and over streams. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex, PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeTurn, fakeModel, GeminiCliAgent, type GeminiCliAgentOptions, tool, z } from '../index.js';
import { GeminiCliAcpServer, type JsonRpcMessage } from './index.js';

interface Told extends JsonRpcMessage {
  params?: {
    sessionId?: string;
    update?: { sessionUpdate: string; content?: { text?: string } };
    options?: unknown[];
  };
}

describe('an agent behind ACP', () => {
  let root: string;
  let folder: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'sdk-acp-')));
    folder = realpathSync(mkdtempSync(join(root, 'work-')));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

  function server(turns: FakeTurn[], options: GeminiCliAgentOptions = {}) {
    const model = fakeModel(turns);
    const env = { HOME: root, GEMINI_CLI_HOME: root, PATH: process.env['PATH'] };
    const agent = new GeminiCliAgent({ cwd: folder, env, trust: true, fakeResponses: model, ...options });
    return { server: new GeminiCliAcpServer(agent), model, agent };
  }

  /** A connection in this process that remembers what it was told and allows everything. */
  async function connected({ server: acp }: ReturnType<typeof server>) {
    const told: Told[] = [];
    const connection = acp.connect({
      onMessage: async (message) => {
        told.push(message as Told);
        if (message.method !== 'session/request_permission') return;
        await connection.send({
          id: message.id ?? null,
          result: { outcome: { outcome: 'selected', optionId: 'proceed_once' } },
        });
      },
    });
    await connection.request('initialize', { protocolVersion: 1 });
    const { sessionId } = await connection.request<{ sessionId: string }>('session/new', {
      cwd: folder,
      mcpServers: [],
    });
    const said = () =>
      told
        .filter(({ params }) => params?.update?.sessionUpdate === 'agent_message_chunk')
        .map(({ params }) => params?.update?.content?.text)
        .join('');
    return { connection, told, sessionId, said };
  }

  it('answers prompts with the tools of the agent', async () => {
    const add = tool(
      { name: 'add', description: 'adds', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      ({ a, b }) => a + b,
    );
    const parts = server([{ calls: [{ name: 'add', args: { a: 2, b: 3 } }] }, 'five'], { tools: [add] });
    const { connection, said, sessionId, told } = await connected(parts);
    const prompt = [{ type: 'text', text: 'add' }];
    const answer = await connection.request<{ stopReason: string }>('session/prompt', { sessionId, prompt });
    expect(answer.stopReason).toBe('end_turn');
    expect(said()).toBe('five');
    expect(JSON.stringify(parts.model.requests[1]?.contents)).toContain('"output":"5"');
    expect(told.map(({ params }) => params?.update?.sessionUpdate)).toContain('tool_call');
    await connection.close();
  });

  it('refuses an empty prompt, and the running one continues', async () => {
    const parts = server([{ text: 'late', delayMs: 50 }]);
    const { connection, sessionId } = await connected(parts);
    const ask = (text: string) =>
      connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    const running = ask('go');
    await expect(ask('')).rejects.toMatchObject({ code: -32602, message: 'The prompt is empty.' });
    await expect(connection.request('session/prompt', { sessionId, prompt: [] })).rejects.toMatchObject({
      code: -32602,
    });
    expect(await running).toMatchObject({ stopReason: 'end_turn' });
    await connection.close();
  });

  it('asks the client, not the handlers of the program', async () => {
    const asked: string[] = [];
    const pay = tool(
      { name: 'pay', description: 'pays', inputSchema: z.object({}), confirm: true },
      () => 'paid',
    );
    const parts = server([{ calls: [{ name: 'pay', args: {} }] }, 'done'], {
      tools: [pay],
      onApproval: ({ toolName }) => {
        asked.push(toolName);
        return 'deny';
      },
    });
    const { connection, told, sessionId } = await connected(parts);
    await connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'pay' }] });
    expect(asked).toEqual([]);
    expect(told.filter(({ method }) => method === 'session/request_permission')).toHaveLength(1);
    expect(JSON.stringify(parts.model.requests[1]?.contents)).toContain('paid');
    await connection.close();
  });

  it('takes raw messages, as the founding document prints it', async () => {
    const { server: acp } = server(['raw']);
    const told: Told[] = [];
    let over: () => void = () => undefined;
    const isOver = new Promise<void>((resolve) => {
      over = resolve;
    });
    const client = acp.connect({
      onMessage: (message) => {
        told.push(message as Told);
        if (message.id === 3) over();
        if (message.id !== 2) return;
        const { sessionId } = message.result as { sessionId: string };
        void client.send({
          id: 3,
          method: 'session/prompt',
          params: { sessionId, prompt: [{ type: 'text', text: 'x' }] },
        });
      },
    });
    await client.send({ id: 1, method: 'initialize', params: { protocolVersion: 1 } });
    await client.send({ id: 2, method: 'session/new', params: { cwd: folder, mcpServers: [] } });
    await isOver;
    expect(told.at(-1)).toMatchObject({ id: 3, result: { stopReason: 'end_turn' } });
    await client.close();
  });

  it('lists and loads the sessions of the agent, with their history', async () => {
    const parts = server(['first answer', 'second answer']);
    const first = await connected(parts);
    const { sessionId } = first;
    await first.connection.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: 'remember me' }],
    });
    await first.connection.close();
    const second = await connected(parts);
    const { sessions } = await second.connection.request<{
      sessions: { sessionId: string; title: string }[];
    }>('session/list', {});
    expect(sessions).toMatchObject([{ sessionId, title: 'remember me' }]);
    await second.connection.request('session/load', { sessionId, cwd: folder, mcpServers: [] });
    expect(second.said()).toBe('first answer');
    const missing = second.connection.request('session/load', {
      sessionId: 'none',
      cwd: folder,
      mcpServers: [],
    });
    await expect(missing).rejects.toMatchObject({ code: -32602 });
    await second.connection.close();
  });

  it('reads linked files of the folder and asks about others', async () => {
    const parts = server(['ok']);
    writeFileSync(join(folder, 'in.txt'), 'inside text');
    writeFileSync(join(root, 'out.txt'), 'outside text');
    const { connection, told, sessionId } = await connected(parts);
    const link = (path: string) => ({ type: 'resource_link', name: 'x', uri: `file://${path}` });
    await connection.request('session/prompt', {
      sessionId,
      prompt: [link(join(folder, 'in.txt')), link(join(root, 'out.txt')), link(join(root, 'none.txt'))],
    });
    const sent = JSON.stringify(parts.model.requests[0]?.contents);
    expect(sent).toContain('inside text');
    expect(sent).toContain('outside text');
    expect(sent).toContain('none.txt could not be read');
    expect(told.filter(({ method }) => method === 'session/request_permission')).toHaveLength(1);
    await connection.close();
  });

  it('announces what it can do with sessions, and refuses the rest', async () => {
    const parts = server(['answer']);
    const { connection, sessionId } = await connected(parts);
    const { agentCapabilities } = await connection.request<{
      agentCapabilities: { sessionCapabilities: object };
    }>('initialize', { protocolVersion: 1 });
    expect(Object.keys(agentCapabilities.sessionCapabilities)).toEqual(['list', 'resume', 'close']);
    const fork = connection.request('session/fork', { sessionId, cwd: folder });
    await expect(fork).rejects.toMatchObject({ code: -32602 });
    const more = connection.request('session/new', {
      cwd: folder,
      mcpServers: [],
      additionalDirectories: [root],
    });
    await expect(more).rejects.toMatchObject({ code: -32602 });
    await connection.close();
  });

  it('names a session after what the user typed, not after the files that came with it', async () => {
    const parts = server(['ok']);
    writeFileSync(join(folder, 'in.txt'), 'inside text');
    const { connection, told, sessionId } = await connected(parts);
    const link = { type: 'resource_link', name: 'x', uri: `file://${join(folder, 'in.txt')}` };
    await connection.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: 'look at ' }, link],
    });
    const info = told.find(({ params }) => params?.update?.sessionUpdate === 'session_info_update');
    expect(info?.params?.update).toMatchObject({ title: 'look at' });
    await connection.close();
  });

  it('keeps files away from the client where tools are sandboxed', async () => {
    writeFileSync(join(folder, 'in.txt'), 'on disk');
    const parts = server([{ calls: [{ name: 'read_file', args: { file_path: 'in.txt' } }] }, 'done'], {
      settings: { security: { toolSandboxing: true } },
    });
    const told: Told[] = [];
    const connection = parts.server.connect({
      onMessage: async (message) => {
        told.push(message as Told);
        if (message.method === 'fs/read_text_file')
          await connection.send({ id: message.id ?? null, result: { content: 'of the client' } });
      },
    });
    await connection.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    });
    const { sessionId } = await connection.request<{ sessionId: string }>('session/new', {
      cwd: folder,
      mcpServers: [],
    });
    await connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'read' }] });
    expect(told.map(({ method }) => method)).not.toContain('fs/read_text_file');
    await connection.close();
  });

  it('rejects requests of the program once the connection is closed', async () => {
    const { connection } = await connected(server([]));
    await connection.close();
    await expect(connection.request('session/list', {})).rejects.toThrow('closed');
  });

  it('keeps what tools print away from stdout while it serves it', async () => {
    const { server: acp } = server(['hi']);
    const stdin = new PassThrough();
    const before = console.log;
    const running = acp.start({ stdin, stdout: process.stdout });
    expect(console.log).not.toBe(before);
    stdin.end();
    await running;
    expect(console.log).toBe(before);
  });

  it('serves stdio until the client closes it', async () => {
    const { server: acp } = server(['hi']);
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const running = acp.start({ stdin, stdout });
    stdin.end(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } })}\n`,
    );
    await running;
    expect(JSON.parse(String(stdout.read()))).toMatchObject({
      id: 1,
      result: { agentInfo: { name: 'gemini-cli' } },
    });
  });

  it('serves the other end of a stream, and may send requests of its own there', async () => {
    const { server: acp } = server(['hi']);
    const toServer = new PassThrough();
    const toClient = new PassThrough();
    const connection = acp.listen(Duplex.from({ readable: toServer, writable: toClient }));
    const answer = connection.request('client/secret', { a: 1 });
    const [line] = String(await new Promise((resolve) => toClient.once('data', resolve))).split('\n');
    const request = JSON.parse(line ?? '');
    expect(request).toMatchObject({ method: 'client/secret', params: { a: 1 } });
    toServer.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, result: 42 })}\n`);
    expect(await answer).toBe(42);
    await connection.close();
  });
});
