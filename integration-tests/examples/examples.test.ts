/** Runs the programs of `examples/`, installed from the tarballs in an empty folder, against the scripted model server. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiError, callTool, type ModelServer, startModelServer, text } from '@gemini-cli/test-utils/rig';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type PackedFolder, packedSdk } from '../package/packed-sdk.js';

const repo = join(import.meta.dirname, '../..');

describe('the examples, installed from the tarballs', () => {
  let packed: PackedFolder;
  let model: ModelServer;
  let work: string;
  let count = 0;

  beforeAll(async () => {
    packed = await packedSdk(['node-sqlite3-wasm']);
    cpSync(join(repo, 'examples'), join(packed.folder, 'examples'), { recursive: true });
  }, 120_000);
  afterAll(() => packed?.remove());
  beforeEach(async () => {
    model = await startModelServer();
    work = join(packed.folder, `work-${++count}`);
    mkdirSync(work);
    onTestFinished(() => model.close());
  });

  const environment = () => ({
    PATH: process.env['PATH'],
    HOME: join(packed.folder, 'home'),
    GEMINI_CLI_HOME: join(packed.folder, 'home'),
    GEMINI_API_KEY: 'test-key',
    GEMINI_MODEL: 'gemini-2.5-flash',
    GOOGLE_GEMINI_BASE_URL: model.url,
  });
  const program = (path: string) => join(packed.folder, 'examples', path);
  const start = (path: string, args: string[] = [], input?: string) =>
    new Promise<{ stdout: string; stderr: string; code: number }>((resolve) => {
      const child = execFile(
        process.execPath,
        [program(path), ...args],
        { cwd: work, env: environment() },
        (error, stdout, stderr) => resolve({ stdout, stderr, code: error ? Number(error.code) : 0 }),
      );
      child.stdin?.end(input ?? '');
    });
  const sent = (index: number) => JSON.stringify(model.requests[index]?.body);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: work });

  it('review-bot: findings, and an exit code', async () => {
    git('init', '-q');
    writeFileSync(join(work, 'a.js'), 'let a = 1;\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(join(work, 'a.js'), 'let a = eval(input);\n');
    model.replies(
      [callTool('read_file', { file_path: 'a.js' })],
      [
        callTool('report_finding', {
          file: 'a.js',
          line: 1,
          severity: 'serious',
          message: 'Do not use eval.',
        }),
      ],
      [text('One problem.')],
    );
    const { stdout, stderr, code } = await start('review-bot/review.mjs');
    expect({ stdout, code }, stderr).toEqual({
      stdout: 'a.js:1: serious: Do not use eval.\n\nOne problem.\n',
      code: 1,
    });
    expect(sent(0)).toContain('eval(input)');
  });

  it('review-bot: without a review the exit code does not speak of findings', async () => {
    git('init', '-q');
    writeFileSync(join(work, 'a.js'), 'let a = 1;\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(join(work, 'a.js'), 'let a = 2;\n');
    model.replies([apiError(400, 'No such model.')]);
    const failed = await start('review-bot/review.mjs');
    expect([failed.code, failed.stdout]).toEqual([2, '']);
    expect(failed.stderr).toMatch(/^There was no review: .*No such model/);
    const unknown = await start('review-bot/review.mjs', ['no-such-commit']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('no-such-commit');
    expect(unknown.stderr).not.toContain('    at ');
  });

  it('nightly-updater: approvals by file', async () => {
    writeFileSync(join(work, 'package.json'), '{"dependencies":{"a":"1.0.0"}}');
    model.replies(
      [callTool('write_file', { file_path: 'package.json', content: '{"dependencies":{"a":"2.0.0"}}' })],
      [callTool('write_file', { file_path: 'src.js', content: 'hacked' })],
      [callTool('run_shell_command', { command: 'git push origin main' })],
      [text('a is 2.0.0 now.')],
    );
    const { stdout, stderr, code } = await start('nightly-updater/update.mjs');
    expect({ stdout, code }, stderr).toEqual({
      stdout:
        'allowed: write_file package.json\nrefused: write_file src.js\n1 steps, stop\na is 2.0.0 now.\n',
      code: 0,
    });
    expect(readFileSync(join(work, 'package.json'), 'utf8')).toContain('2.0.0');
    expect(sent(2)).toContain('Only the package files may change');
    expect(sent(3)).toContain('A person does that in the morning.');
  });

  it('chat-server: one session per user, and a clean end', async () => {
    const server = spawn(process.execPath, [program('chat-server/server.mjs')], {
      cwd: work,
      env: environment(),
    });
    const url = await firstLine(server);
    const chat = async (user: string, message: string) =>
      (await fetch(`${url}/chat?user=${user}`, { method: 'POST', body: message })).text();
    model.replies([text('Hello Ada.')], [text('Hello Bob.')], [text('You are Ada.')]);
    expect(await chat('ada', 'I am Ada')).toBe(
      'data: {"type":"content","value":"Hello Ada."}\n\ndata: {"type":"end","value":"stop"}\n\n',
    );
    await chat('bob', 'I am Bob');
    expect(await chat('ada', 'who am I?')).toContain('You are Ada.');
    expect(sent(2)).toContain('I am Ada');
    expect(sent(2)).not.toContain('I am Bob');
    expect((await fetch(`${url}/chat?user=../x`, { method: 'POST', body: 'x' })).status).toBe(404);
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('hook-package: in an agent, and as a command', async () => {
    git('init', '-q', '-b', 'feature');
    const key = `AKIA${'A'.repeat(16)}`;
    model.replies([callTool('write_file', { file_path: 'a.txt', content: key })], [text('I will not.')]);
    const { stdout, stderr } = await start('hook-package/agent.mjs', ['write the key']);
    expect(stdout, stderr).toMatch(/^write_file: error \(.*looks like a secret key.*\)\nI will not\.\n$/);
    expect(sent(0)).toContain('The current branch is feature.');
    const input = {
      session_id: 's',
      transcript_path: '',
      cwd: work,
      hook_event_name: 'BeforeTool',
      timestamp: new Date().toISOString(),
      tool_name: 'write_file',
    };
    for (const content of [key, '-----BEGIN RSA PRIVATE KEY-----\nMII']) {
      const tool_input = { file_path: 'a.txt', content };
      const line = JSON.stringify({ ...input, tool_input });
      const command = await start('hook-package/no-secrets-command.mjs', [], line);
      expect(JSON.parse(command.stdout), command.stderr).toMatchObject({ decision: 'deny' });
    }
  });

  it('sqlite-tool: a database that stays', async () => {
    model.replies([callTool('add_note', { topic: 'tea', text: 'Ada drinks tea' })], [text('Noted.')]);
    expect((await start('sqlite-tool/notes.mjs', ['Ada drinks tea'])).stdout).toBe('Noted.\n');
    model.replies([callTool('find_notes', { word: 'tea' })], [text('Ada does.')]);
    const { stdout, stderr } = await start('sqlite-tool/notes.mjs', ['who drinks tea?']);
    expect(stdout, stderr).toBe('Ada does.\n');
    expect(sent(3)).toContain('Ada drinks tea');
  });

  it('pipeline: agents that work for each other', async () => {
    writeFileSync(join(work, 'facts.txt'), 'The sky is blue.\n');
    model.replies(
      [callTool('invoke_agent', { agent_name: 'researcher', prompt: 'the sky' })],
      [callTool('read_file', { file_path: 'facts.txt' })],
      [callTool('complete_task', { result: { facts: ['The sky is blue.'], sources: ['facts.txt'] } })],
      [callTool('invoke_agent', { agent_name: 'writer', prompt: 'The sky is blue.' })],
      [callTool('count_words', { text: 'The sky is blue.' })],
      [text('The sky is blue, they say.')],
      [text('The sky is blue, they say.')],
    );
    const { stdout, stderr, code } = await start('pipeline/pipeline.mjs', ['the sky']);
    expect({ stdout, code }, stderr).toEqual({ stdout: 'The sky is blue, they say.\n', code: 0 });
    expect(stderr).toBe('researcher: read_file\nwriter: count_words\n');
    expect(sent(5)).toContain('"4"');
  });
});

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
}
