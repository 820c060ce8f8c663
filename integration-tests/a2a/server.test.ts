/** The A2A server as users run it: its own process, real clients, real tools; only the model is scripted. */
import { existsSync } from 'node:fs';
import { ClientFactory as OldClientFactory } from 'a2a-js-sdk-0.3/client';
import { describe, expect, it } from 'vitest';
import { BUNDLE, callTool, text, waitUntil } from '../test-utils.js';
import { a2aRig, answer, folderOf, message, startServer, Turn } from './a2a-rig.js';

const INPUT_REQUIRED = 6;

describe('a turn', { timeout: 60_000 }, () => {
  it('reads a file of its workspace and answers, for clients of both versions', async () => {
    const rig = await a2aRig({ files: { 'a.txt': 'The word is xylophone.' } });
    const server = await startServer(rig);
    const client = await server.client();
    rig.model.replies(
      [callTool('read_file', { file_path: 'a.txt' }, 'call-1')],
      [text('It is '), text('xylophone.')],
    );
    const turn = await Turn.of(
      client.sendMessageStream(message('What is the word?', { workspace: rig.workspace })),
    );
    expect(turn).toMatchObject({ text: 'It is xylophone.', state: INPUT_REQUIRED });
    expect(turn.calls.map(({ data }) => data['status'])).toEqual(
      expect.arrayContaining(['scheduled', 'executing', 'success']),
    );

    rig.model.replies([text('Yes.')]);
    const old = await new OldClientFactory().createFromUrl(server.origin);
    const again = await old.sendMessage({
      message: {
        kind: 'message',
        role: 'user',
        messageId: 'again',
        taskId: turn.taskId,
        contextId: turn.contextId,
        parts: [{ kind: 'text', text: 'Sure?' }],
      },
    });
    expect(again).toMatchObject({ kind: 'task', id: turn.taskId, status: { state: 'input-required' } });
    expect(JSON.stringify(rig.model.lastRequest().body.contents)).toMatch(
      /What is the word.*xylophone.*Sure\?/,
    );
    server.process.kill('SIGTERM');
    expect(await server.process.done).toMatchObject({ exitCode: 0 });
  });

  it('asks before it changes a file, and writes what the client edited', async () => {
    const rig = await a2aRig({ files: { 'a.txt': 'one\n' } });
    const server = await startServer(rig);
    const client = await server.client();
    rig.model.replies([callTool('write_file', { file_path: 'a.txt', content: 'two\n' }, 'call-1')]);
    const asked = await Turn.of(client.sendMessageStream(message('Write two', { workspace: rig.workspace })));
    expect(asked.state).toBe(INPUT_REQUIRED);
    expect(asked.confirmation.data).toMatchObject({
      status: 'awaiting_approval',
      confirmationDetails: { type: 'edit' },
    });
    expect(rig.read('a.txt')).toBe('one\n');

    const { taskId, contextId } = asked;
    const wrong = await Turn.of(
      client.sendMessageStream(message(answer('nobody', 'proceed_once'), { taskId, contextId })),
    );
    expect(wrong).toMatchObject({ state: INPUT_REQUIRED });
    expect(rig.read('a.txt')).toBe('one\n');

    rig.model.replies([text('Done.')]);
    const { callId } = asked.confirmation;
    const done = await Turn.of(
      client.sendMessageStream(message(answer(callId, 'proceed_once', 'three\n'), { taskId, contextId })),
    );
    expect(done).toMatchObject({ text: 'Done.', state: INPUT_REQUIRED });
    expect(rig.read('a.txt')).toBe('three\n');
    expect(JSON.stringify(rig.model.lastRequest().body.contents.at(-1))).toContain('a.txt');
  });

  it('works outside the allowed root never, and a task in another folder does not notice', async () => {
    const rig = await a2aRig();
    const inside = folderOf(rig, 'inside', { 'a.txt': 'A' });
    const server = await startServer(rig, { CODER_AGENT_WORKSPACE_PATH: inside });
    const client = await server.client();
    for (const workspace of [rig.workspace, '/etc', `${inside}/../..`, `${inside}/missing`]) {
      const turn = await Turn.of(client.sendMessageStream(message('hi', { workspace })));
      expect({ workspace, state: turn.state }).toEqual({ workspace, state: 4 });
    }
    rig.model.replies([text('hello')]);
    expect(await Turn.of(client.sendMessageStream(message('hi', { workspace: inside })))).toMatchObject({
      text: 'hello',
    });
  });
});

describe('many tasks at once', { timeout: 120_000 }, () => {
  it('each work in their own folder, with an environment of their own', async () => {
    const rig = await a2aRig();
    const folders = Array.from({ length: 12 }, (_, index) =>
      folderOf(rig, `w${index}`, { '.env': `MY_WORD=word${index}\n`, 'name.txt': `name${index}` }),
    );
    const server = await startServer(rig);
    const client = await server.client();
    rig.model.otherwise(({ body }) => {
      const said = JSON.stringify(body.contents);
      if (!said.includes('functionResponse'))
        return [callTool('run_shell_command', { command: 'pwd; cat name.txt; echo "$MY_WORD"' })];
      return [text('ok')];
    });
    const turns = await Promise.all(
      folders.map((workspace) =>
        Turn.of(client.sendMessageStream(message('go', { workspace, autoExecute: true }))),
      ),
    );
    for (const [index, turn] of turns.entries()) {
      expect(turn).toMatchObject({ text: 'ok', state: INPUT_REQUIRED });
      const result = JSON.stringify(turn.calls.at(-1)?.data['response'] ?? turn.calls.at(-1)?.data);
      expect(result).toContain(`name${index}`);
      expect(result).toContain(folders[index]);
    }
    expect(new Set(turns.map(({ taskId }) => taskId)).size).toBe(12);
  });
});

describe('a restart', { timeout: 120_000 }, () => {
  it('after kill -9, with the folder store, brings tasks back with their conversation', async () => {
    const rig = await a2aRig();
    const env = { CODER_AGENT_TASK_DIR: folderOf(rig, 'tasks') };
    const workspace = folderOf(rig, 'w');
    const first = await startServer(rig, env);
    rig.model.replies([text('I will remember.')]);
    const turn = await Turn.of(
      (await first.client()).sendMessageStream(message('The word is zebra', { workspace })),
    );
    first.process.kill('SIGKILL');
    await first.process.done;

    const second = await startServer(rig, env);
    const client = await second.client();
    const task = await client.getTask({ id: turn.taskId, tenant: '' });
    expect(JSON.stringify(task.history)).toContain('The word is zebra');
    rig.model.replies([text('zebra')]);
    const { taskId, contextId } = turn;
    const next = await Turn.of(client.sendMessageStream(message('Which word?', { taskId, contextId })));
    expect(next).toMatchObject({ text: 'zebra', state: INPUT_REQUIRED });
    expect(JSON.stringify(rig.model.lastRequest().body.contents)).toMatch(
      /zebra.*I will remember.*Which word/,
    );
  });

  it('lets a running turn end first, and refuses new ones', async () => {
    const rig = await a2aRig();
    const server = await startServer(rig);
    const client = await server.client();
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    rig.model.replies([text('begin '), waitUntil(gate), text('end')]);
    const turn = Turn.of(client.sendMessageStream(message('go', { workspace: rig.workspace })));
    await rig.model.waitForRequest(1);
    server.process.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(`${server.origin}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .not.toBe(200);
    go();
    expect(await turn).toMatchObject({ text: 'begin end', state: INPUT_REQUIRED });
    expect(await server.process.done).toMatchObject({ exitCode: 0 });
  });
});

describe('a limit of tasks', { timeout: 60_000 }, () => {
  it('is told to the client that begins one too many; tasks that are there go on', async () => {
    const rig = await a2aRig();
    const server = await startServer(rig, { CODER_AGENT_MAX_TASKS: '1' });
    const client = await server.client();
    rig.model.replies([text('one')], [text('two')]);
    const { taskId, contextId } = await Turn.of(
      client.sendMessageStream(message('a', { workspace: rig.workspace })),
    );
    const refused = await fetch(`${server.origin}/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect({ status: refused.status, body: await refused.json() }).toEqual({
      status: 429,
      body: { error: 'This server keeps 1 task; CODER_AGENT_MAX_TASKS is the limit.' },
    });
    const more = await Turn.of(client.sendMessageStream(message('b', { taskId, contextId })));
    expect(more).toMatchObject({ text: 'two', state: INPUT_REQUIRED });
  });
});

describe('commands', { timeout: 60_000 }, () => {
  it('are listed and run; init is streamed while the model writes the file', async () => {
    const rig = await a2aRig({ files: { 'README.md': '# It' } });
    const server = await startServer(rig, {
      CODER_AGENT_WORKSPACE_PATH: rig.workspace,
      GEMINI_YOLO_MODE: 'true',
    });
    const get = async (path: string) => (await fetch(server.origin + path)).json();
    const run = async (body: object) => {
      const response = await fetch(`${server.origin}/executeCommand`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    };
    const { commands } = (await get('/listCommands')) as { commands: { name: string }[] };
    expect(commands.map(({ name }) => name)).toEqual(['extensions', 'init', 'memory', 'restore']);
    expect(await run({ command: 'extensions', args: ['list'] })).toMatchObject({
      status: 200,
      text: '{"name":"extensions list","data":[]}',
    });
    expect(await run({ command: 'memory show' })).toMatchObject({ status: 200 });
    expect(await run({ command: 'nothing' })).toMatchObject({ status: 404 });
    expect(await run({ command: 7 })).toMatchObject({ status: 400 });
    expect(await run({ command: 'restore', args: ['list'] })).toMatchObject({ status: 400 });
    rig.model.replies(
      [callTool('write_file', { file_path: 'GEMINI.md', content: '# It is\n' })],
      [text('Written.')],
    );
    const init = await run({ command: 'init' });
    expect(init.text).toMatch(/^data: {"jsonrpc":"2.0","id":"exec-/);
    expect(init.text).toContain('TASK_STATE_INPUT_REQUIRED');
    expect(rig.read('GEMINI.md')).toBe('# It is\n');
    expect((await run({ command: 'init' })).text).toContain('exists already');
    expect((await run({ command: 'memory refresh' })).text).toMatch(/from 1 file/);
    expect((await run({ command: 'memory list' })).text).toContain('GEMINI.md');
  });
});

describe('commands in a folder that is not trusted yet', { timeout: 60_000 }, () => {
  it('run, and read nothing of it', async () => {
    const rig = await a2aRig({ files: { 'GEMINI.md': 'Do as I say.' }, trust: false });
    const server = await startServer(rig, { CODER_AGENT_WORKSPACE_PATH: rig.workspace });
    const response = await fetch(`${server.origin}/executeCommand`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ command: 'memory show' }),
    });
    expect({ status: response.status, text: await response.text() }).toEqual({
      status: 200,
      text: expect.not.stringContaining('Do as I say'),
    });
  });
});

describe('the start', { timeout: 60_000 }, () => {
  it('refuses settings that would be unsafe or make no sense, in one line', async () => {
    const rig = await a2aRig();
    for (const [env, words, code, said] of [
      [{ CODER_AGENT_HOST: '0.0.0.0' }, [], 52, 'Set CODER_AGENT_AUTH_TOKEN'],
      [{ CODER_AGENT_PORT: '99999' }, [], 52, 'CODER_AGENT_PORT is a whole number'],
      [{ CODER_AGENT_BASIC_AUTH: 'nopassword' }, [], 52, 'user:password'],
      [{ CODER_AGENT_WORKSPACE_PATH: '/nonexistent' }, [], 52, 'not a folder'],
      [{ CODER_AGENT_TASK_DIR: 'a', GCS_BUCKET_NAME: 'b' }, [], 52, 'Set only one of'],
      [{}, ['--role', 'worker'], 42, 'needs a database'],
      [{}, ['--role', 'boss'], 42, '--role is all, api or worker'],
      [{}, ['--what'], 42, 'is not a flag'],
    ] as const) {
      const run = await rig.cli(...words, { env });
      expect({ env, words, code: run.exitCode }).toEqual({ env, words, code });
      expect(run.stderr).toContain(said);
      expect(run.stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  it('names the port that another program has', async () => {
    const rig = await a2aRig();
    const port = new URL((await startServer(rig)).url).port;
    const run = await rig.cli('--port', port);
    expect({ code: run.exitCode, stderr: run.stderr.trim() }).toEqual({
      code: 52,
      stderr: `Port ${port} is in use. Choose another one with --port or CODER_AGENT_PORT.`,
    });
  });

  it('is also a command of gemini', async () => {
    const rig = await a2aRig({ program: BUNDLE });
    const server = await startServer(rig, {}, 'a2a-server');
    rig.model.replies([text('from gemini')]);
    const turn = await Turn.of(
      (await server.client()).sendMessageStream(message('hi', { workspace: rig.workspace })),
    );
    expect(turn).toMatchObject({ text: 'from gemini', state: INPUT_REQUIRED });
    expect(existsSync(rig.path('.gemini'))).toBe(false);
  });
});
