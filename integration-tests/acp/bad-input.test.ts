/** Clients that break off, send nonsense, or never answer: defined errors, no crash, no orphan. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BUNDLE, callTool, silence, type TestRig, testRig, text } from '../test-utils.js';

interface Answer {
  id?: unknown;
  method?: string;
  params?: { sessionId?: string; update?: { sessionUpdate: string } };
  result?: { sessionId?: string; stopReason?: string };
  error?: { code: number; message: string };
}

const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } };

/** The program, spoken to line by line. */
async function rawClient(rig: TestRig) {
  const run = rig.spawn('--acp', { stdin: 'open' });
  const answers = () =>
    run.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Answer);
  return {
    run,
    answers,
    send: (message: unknown) =>
      run.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
    waitFor: async (fits: (answer: Answer) => boolean): Promise<Answer> => {
      await run.waitFor(() => answers().some(fits), 'a message');
      return answers().find(fits) as Answer;
    },
    open: async (id: number): Promise<string> => {
      const params = { cwd: rig.workspace, mcpServers: [] };
      run.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'session/new', params })}\n`);
      await run.waitFor(() => answers().some((answer) => answer.id === id), `answer ${id}`);
      return String(answers().find((answer) => answer.id === id)?.result?.sessionId);
    },
  };
}

describe('a client that misbehaves', () => {
  it('gets an error for each message that is none, and its session continues', async () => {
    const rig = await testRig();
    rig.model.replies([text('fine')]);
    const client = await rawClient(rig);
    client.send(INITIALIZE);
    client.send('this is not JSON\n');
    client.send('[]\n');
    client.send('7\n');
    client.send('{"jsonrpc":"1.0","method":"x"}\n');
    client.send({ jsonrpc: '2.0', id: 'never-asked', result: {} });
    client.send({ jsonrpc: '2.0', id: 2, method: 'no/such/method' });
    client.send({ jsonrpc: '2.0', id: 3, method: 'session/new', params: { cwd: 7 } });
    client.send({
      jsonrpc: '2.0',
      id: 4,
      method: 'session/prompt',
      params: { sessionId: 'x', prompt: 'text' },
    });
    client.send({ jsonrpc: '2.0', method: 'no/such/notification', params: {} });
    client.send({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'unknown' } });
    const sessionId = await client.open(5);
    const prompt = [{ type: 'text', text: 'hi' }];
    client.send({ jsonrpc: '2.0', id: 6, method: 'session/prompt', params: { sessionId, prompt } });
    await client.waitFor(({ id }) => id === 6);
    const codes = client.answers().flatMap(({ id, error }) => (error ? [[id, error.code]] : []));
    expect(codes).toEqual(
      expect.arrayContaining([
        [null, -32700],
        [null, -32600],
        [2, -32601],
        [3, -32602],
        [4, -32602],
      ]),
    );
    expect(client.answers().find(({ id }) => id === 6)?.result?.stopReason).toBe('end_turn');
    client.run.closeStdin();
    expect((await client.run.done).exitCode).toBe(0);
  });

  it('refuses everything before initialize', async () => {
    const rig = await testRig();
    const client = await rawClient(rig);
    client.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'session/new',
      params: { cwd: rig.workspace, mcpServers: [] },
    });
    expect((await client.waitFor(({ id }) => id === 1)).error?.code).toBe(-32600);
    client.send({ ...INITIALIZE, id: 2, params: { protocolVersion: 99 } });
    expect((await client.waitFor(({ id }) => id === 2)).result).toMatchObject({ protocolVersion: 1 });
    client.run.closeStdin();
    expect((await client.run.done).exitCode).toBe(0);
  });

  it('ends with its children when stdin closes in mid prompt', async () => {
    const rig = await testRig({ settings: { tools: { allowed: ['run_shell_command'] } } });
    rig.model.replies([callTool('run_shell_command', { command: 'echo $$ > pid.txt; sleep 100 & wait' })]);
    const client = await rawClient(rig);
    client.send(INITIALIZE);
    const sessionId = await client.open(2);
    client.send({
      jsonrpc: '2.0',
      id: 3,
      method: 'session/set_mode',
      params: { sessionId, modeId: 'yolo' },
    });
    const prompt = [{ type: 'text', text: 'hi' }];
    client.send({ jsonrpc: '2.0', id: 4, method: 'session/prompt', params: { sessionId, prompt } });
    await rig.waitForFile('pid.txt');
    client.run.closeStdin();
    const { exitCode, stderr } = await client.run.done;
    expect(exitCode).toBe(0);
    expect(stderr).not.toMatch(/unexpected|unhandled|\n {4}at /i);
    expect(existsSync(`/proc/${rig.read('pid.txt').trim()}`)).toBe(false);
  });

  it('ends when the last message is cut in half, and when nothing was sent at all', async () => {
    const rig = await testRig();
    const half = await rawClient(rig);
    half.send(INITIALIZE);
    half.send('{"jsonrpc":"2.0","id":2,"method":"session/n');
    half.run.closeStdin();
    expect((await half.run.done).exitCode).toBe(0);
    expect(half.answers()).toHaveLength(1);
    const silent = await rig.cli('--acp');
    expect([silent.exitCode, silent.stdout]).toEqual([0, '']);
  });

  it('ends at a signal while the model works', async () => {
    const rig = await testRig();
    rig.model.replies([text('a'), silence()]);
    const client = await rawClient(rig);
    client.send(INITIALIZE);
    const sessionId = await client.open(2);
    const prompt = [{ type: 'text', text: 'hi' }];
    client.send({ jsonrpc: '2.0', id: 3, method: 'session/prompt', params: { sessionId, prompt } });
    await client.waitFor(({ params }) => params?.update?.sessionUpdate === 'agent_message_chunk');
    client.run.kill('SIGTERM');
    expect((await client.run.done).exitCode).toBe(143);
  });

  it('answers a flood of messages, each of them, in order', async () => {
    const rig = await testRig();
    const client = await rawClient(rig);
    client.send(INITIALIZE);
    const many = Array.from({ length: 5000 }, (_, index) => ({
      jsonrpc: '2.0',
      id: index + 10,
      method: 'session/prompt',
      params: { sessionId: 'unknown', prompt: [] },
    }));
    client.send(many.map((one) => `${JSON.stringify(one)}\n`).join(''));
    await client.waitFor(({ id }) => id === 5009);
    const ids = client.answers().flatMap(({ id, error }) => (error?.code === -32602 ? [id] : []));
    expect(ids).toEqual(many.map(({ id }) => id));
    client.run.closeStdin();
    expect((await client.run.done).exitCode).toBe(0);
  });

  it('counts only the first answer to a permission request', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    const edit = { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' };
    rig.model.replies([callTool('replace', edit)], [text('no')]);
    const client = await rawClient(rig);
    client.send(INITIALIZE);
    const sessionId = await client.open(2);
    const prompt = [{ type: 'text', text: 'edit' }];
    client.send({ jsonrpc: '2.0', id: 3, method: 'session/prompt', params: { sessionId, prompt } });
    const { id } = await client.waitFor(({ method }) => method === 'session/request_permission');
    const answer = (optionId: string) => ({
      jsonrpc: '2.0',
      id,
      result: { outcome: { outcome: 'selected', optionId } },
    });
    client.send(answer('cancel'));
    client.send(answer('proceed_once'));
    expect((await client.waitFor((one) => one.id === 3)).result?.stopReason).toBe('end_turn');
    expect(rig.read('a.txt')).toBe('one\n');
    client.run.closeStdin();
    await client.run.done;
  });
});

describe('a client that does not read', () => {
  it('does not keep the program from ending at a signal', async () => {
    const rig = await testRig();
    rig.model.replies([text('x'.repeat(4_000_000)), silence()]);
    const child = spawn(process.execPath, [BUNDLE, '--acp'], {
      cwd: rig.workspace,
      env: rig.environment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout });
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    const params = { cwd: rig.workspace, mcpServers: [] };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'session/new', params })}\n`);
    const sessionId = await new Promise((resolve) =>
      lines.on('line', (line) => {
        const { id, result } = JSON.parse(line) as Answer;
        if (id === 2) resolve(result?.sessionId);
      }),
    );
    lines.close();
    child.stdout.pause();
    const prompt = [{ type: 'text', text: 'much' }];
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'session/prompt', params: { sessionId, prompt } })}\n`,
    );
    await rig.model.waitForRequest(1);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(143);
  });
});

it.skipIf(!existsSync('/usr/bin/bwrap'))('runs in a sandbox around the whole program', async () => {
  const rig = await testRig({ env: { GEMINI_SANDBOX: 'bwrap' } });
  const params = { cwd: rig.workspace, mcpServers: [] };
  const messages = [INITIALIZE, { jsonrpc: '2.0', id: 2, method: 'session/new', params }];
  const client = await rawClient(rig);
  for (const message of messages) client.send(message);
  expect((await client.waitFor(({ id }) => id === 2)).result?.sessionId).toBeTruthy();
  client.run.closeStdin();
  expect((await client.run.done).exitCode).toBe(0);
});
