/** Checkpoints of a real session: a scripted model, real files, the snapshot worker. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  callTool,
  createTestConfig,
  type ModelServer,
  noticesTo,
  sendPrompt,
  startModelServer,
  tempDir,
  text,
} from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ConfigParameters } from '../engine/parameters.js';
import { pictureOf } from '../platform/snapshots/snapshots.test-helper.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { Config } from './config.js';

interface Bed {
  config: Config;
  model: ModelServer;
  root: string;
  at(name: string): string;
  put(name: string, content: string | Buffer): void;
  read(name: string): string;
  /** Names and contents of checkpoint files. */
  saved(): [string, Record<string, unknown>][];
}

async function bed(parameters: Partial<ConfigParameters> = {}): Promise<Bed> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const config = await createTestConfig({ sessions: {}, checkpointing: true, ...parameters }, { model });
  const root = config.getTargetDir();
  const at = (name: string) => join(root, name);
  const directory = join(config.storage.getProjectTempDir(), 'checkpoints');
  return {
    config,
    model,
    root,
    at,
    put: (name, content) => {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
    },
    read: (name) => readFileSync(at(name), 'utf8'),
    saved: () =>
      readdirSync(directory)
        .sort()
        .map((name) => [name, JSON.parse(readFileSync(join(directory, name), 'utf8'))]),
  };
}

const edit = (path: string, content: string) => callTool('write_file', { file_path: path, content });
const shell = (command: string) => callTool('run_shell_command', { command });

describe('checkpointing before an approved change', { timeout: 60_000 }, () => {
  it('saves files and conversation for edits and commands, not for read-only calls', async () => {
    const { config, model, put, saved } = await bed();
    put('a.txt', 'old\n');
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    model.replies([shell('ls')], [edit('a.txt', `new ${secret}\n`)], [shell('rm a.txt')], [text('done')]);
    await sendPrompt(config, `change it, ${secret}`);
    const files = saved();
    expect(files.map(([name]) => name.replace(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d_\d{3}Z-/, ''))).toEqual([
      'a.txt-write_file.json',
      'workspace-run_shell_command.json',
    ]);
    const [, first] = files[0] ?? [];
    expect(first).toMatchObject({
      sessionId: config.getSessionId(),
      toolCall: { name: 'write_file', args: { file_path: 'a.txt' } },
      messageId: expect.stringMatching(/^[\w-]{36}$/),
      snapshotId: expect.stringMatching(/^[0-9a-f]{8}$/),
      agentState: { mode: 'yolo', model: 'gemini-2.5-flash', todos: [], skills: [] },
    });
    expect(first?.['history']).toMatchObject([
      { type: 'user' },
      { type: 'tool_group', tools: [{ status: 'success' }] },
    ]);
    const contents = first?.['clientHistory'] as {
      role: string;
      parts: { functionCall?: { name: string } }[];
    }[];
    expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'model']);
    expect(contents.at(-1)?.parts.at(-1)?.functionCall?.name).toBe('write_file');
    expect(JSON.stringify(files)).not.toContain(secret);
    const { checkpoints } = await config.getCheckpoints();
    expect(checkpoints.list()).toMatchObject({
      checkpoints: [
        { fileName: 'a.txt', toolName: 'write_file', sessionId: config.getSessionId() },
        { fileName: 'workspace', toolName: 'run_shell_command' },
      ],
      problems: [],
    });
  });

  it('saves nothing unless it is enabled', async () => {
    const { config, model, saved } = await bed({ checkpointing: false });
    model.replies([edit('a.txt', 'new\n')], [text('done')]);
    await sendPrompt(config, 'go');
    expect(saved).toThrow(/ENOENT/);
  });

  it('reports a checkpoint that cannot be written, and the work continues', async () => {
    const notices: string[] = [];
    const { config, model, read } = await bed(noticesTo((message) => notices.push(message)));
    const temp = config.storage.getProjectTempDir();
    mkdirSync(temp, { recursive: true });
    symlinkSync('/tmp', join(temp, 'checkpoints'));
    model.replies([edit('a.txt', 'new\n')], [text('done')]);
    await sendPrompt(config, 'go');
    expect(read('a.txt')).toBe('new\n');
    expect(notices.join()).toMatch(/No checkpoint was made before write_file: .* is a link/);
  });
});

describe('restoring a checkpoint', { timeout: 60_000 }, () => {
  it('restores files and conversation as before the call, and can be undone', async () => {
    const { config, model, put, read, root } = await bed();
    put('a.txt', 'one\n');
    put('gone.bin', Buffer.from([0, 1, 255]));
    model.replies(
      [edit('a.txt', 'two\n')],
      [text('first done')],
      [shell('rm gone.bin; mkdir new; echo x > new/file; chmod 700 a.txt')],
      [text('second done')],
    );
    const before = pictureOf(root);
    await sendPrompt(config, 'one');
    await sendPrompt(config, 'two');
    const after = pictureOf(root);
    const { checkpoints, rewind } = await config.getCheckpoints();
    const [first] = checkpoints.list().checkpoints;
    const name = first?.name ?? '';

    const preview = await checkpoints.preview(name);
    expect(pictureOf(root)).toEqual(after);
    expect(preview.files.steps.find(({ path }) => path.endsWith('a.txt'))?.diff).toContain('-two\n+one\n');

    const restored = await checkpoints.restore(name);
    expect(pictureOf(root)).toEqual(before);
    expect(restored.files.problem).toBeUndefined();
    expect(restored.history).toEqual([{ type: 'user', text: 'one' }]);
    expect(restored.toolCall).toMatchObject({
      name: 'write_file',
      args: { file_path: 'a.txt', content: 'two\n' },
    });
    const history = config.getGeminiClient().getChat().getHistory();
    expect(history.map(({ origin }) => origin)).toEqual(['context', 'prompt', 'model']);

    await rewind.undo(restored.files.undoIds);
    expect(pictureOf(root)).toEqual(after);
    expect(read('a.txt')).toBe('two\n');
  });

  it('proposes the call again, and the model continues after it', async () => {
    const { config, model, put, read } = await bed();
    put('a.txt', 'one\n');
    model.replies([edit('a.txt', 'two\n')], [text('done')], [text('done again')]);
    await sendPrompt(config, 'change it');
    const { checkpoints } = await config.getCheckpoints();
    const { toolCall } = await checkpoints.restore(checkpoints.list().checkpoints[0]?.name ?? '');
    expect(read('a.txt')).toBe('one\n');
    if (!toolCall) throw new Error('no call');
    const types: string[] = [];
    for await (const { type } of config.getSession().propose(toolCall)) types.push(type);
    expect(types).toContain('tool_finished');
    expect(read('a.txt')).toBe('two\n');
    const { contents } = model.lastRequest().body;
    expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
    expect(contents.at(-1)?.parts[0]?.functionResponse?.id).toBe(toolCall.callId);
    const file = config.getChatRecordingService()?.conversationFile ?? '';
    const { loadSessions } = await import('../sessions/load.js');
    const { messages } = (await loadSessions()).readSession(file);
    expect(
      messages
        .filter(({ type }) => type === 'user' || type === 'gemini')
        .map(({ content }) => JSON.stringify(content)),
    ).toEqual([
      expect.stringContaining('session_context'),
      expect.stringContaining('change it'),
      '[]',
      expect.stringContaining('done again'),
    ]);
    expect(messages.flatMap(({ toolCalls = [] }) => toolCalls)).toMatchObject([
      { name: 'write_file', status: 'success' },
    ]);
  });

  it('keeps and names files that another process changed since, and keeps ignored files', async () => {
    const { config, model, put, read } = await bed();
    put('.gitignore', 'cache/\n');
    mkdirSync(join(config.getTargetDir(), '.git'));
    put('mine.txt', '1\n');
    put('theirs.txt', '1\n');
    model.replies(
      [shell('echo 2 > mine.txt; echo 2 > theirs.txt; mkdir cache; echo x > cache/x')],
      [text('done')],
    );
    await sendPrompt(config, 'go');
    put('theirs.txt', 'by hand\n');
    const { checkpoints } = await config.getCheckpoints();
    const { files } = await checkpoints.restore(checkpoints.list().checkpoints[0]?.name ?? '');
    expect(read('mine.txt')).toBe('1\n');
    expect(read('theirs.txt')).toBe('by hand\n');
    expect(read('cache/x')).toBe('x\n');
    const statuses = Object.fromEntries(
      files.steps.map(({ path, status }) => [path.split('/').at(-1), status]),
    );
    expect(statuses).toEqual({
      'mine.txt': 'done',
      'theirs.txt': 'changed-since',
      cache: 'ignored',
      x: 'ignored',
    });
  });

  it('makes the mode stricter if the checkpoint was, and never looser', async () => {
    const { config, model } = await bed();
    model.replies([edit('a.txt', 'x\n')], [text('done')]);
    await sendPrompt(config, 'go');
    const { checkpoints } = await config.getCheckpoints();
    const name = checkpoints.list().checkpoints[0]?.name ?? '';
    config.getPolicyEngine().setApprovalMode(ApprovalMode.DEFAULT);
    await checkpoints.restore(name);
    expect(config.getApprovalMode()).toBe(ApprovalMode.DEFAULT);
  });

  it('made by hand restores what the session changed since', async () => {
    const { config, model, put, read } = await bed({ checkpointing: false });
    put('a.txt', 'one\n');
    model.replies([text('hello')], [edit('a.txt', 'two\n')], [text('done')]);
    await sendPrompt(config, 'hi');
    const { checkpoints } = await config.getCheckpoints();
    const name = await checkpoints.create('before ../it');
    expect(name).toMatch(/Z-it-checkpoint$/);
    await sendPrompt(config, 'change it');
    const restored = await checkpoints.restore(name);
    expect(read('a.txt')).toBe('one\n');
    expect(restored.toolCall).toBeUndefined();
    expect(restored.history).toEqual([
      { type: 'user', text: 'hi' },
      { type: 'gemini', text: 'hello' },
    ]);
  });

  it('refuses an unknown name, or one that leads elsewhere', async () => {
    const { config } = await bed();
    const { checkpoints } = await config.getCheckpoints();
    for (const name of ['', 'nothing', '../../../settings', '/etc/passwd', '..']) {
      await expect(checkpoints.restore(name)).rejects.toMatchObject({ code: 'UNKNOWN_CHECKPOINT' });
    }
  });
});

describe('a checkpoint of Gemini CLI', { timeout: 60_000 }, () => {
  function shadow(config: Config): { commit: string; gitDir: string } {
    const root = config.getTargetDir();
    const gitDir = join(config.storage.getHistoryDir(), '.git');
    mkdirSync(dirname(gitDir), { recursive: true });
    const env = { ...process.env, GIT_DIR: gitDir, GIT_WORK_TREE: root, GIT_CONFIG_GLOBAL: '/dev/null' };
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], {
        cwd: root,
        env,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', '-A', '.');
    git('commit', '-q', '-m', 'snapshot');
    return { commit: git('rev-parse', 'HEAD').trim(), gitDir };
  }

  function checkpointFile(config: Config, value: object): string {
    const directory = join(config.storage.getProjectTempDir(), 'checkpoints');
    mkdirSync(directory, { recursive: true });
    const name = '2026-01-02T03-04-05_678Z-a.txt-replace';
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(value));
    return name;
  }

  const theirs = {
    history: [
      { id: 1, type: 'user', text: 'please' },
      { id: 2, type: 'about', cliVersion: '0.61.0' },
      {
        id: 3,
        type: 'tool_group',
        tools: [{ callId: 'x', name: 'ReadFile', description: 'a', status: 'Success' }],
      },
    ],
    clientHistory: [
      { role: 'user', parts: [{ text: '<session_context>\nold\n</session_context>\nplease' }] },
      { role: 'model', parts: [{ text: 'I will.' }] },
    ],
    toolCall: { name: 'replace', args: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } },
    filePath: 'a.txt',
  };

  it('is restored from its repository, which stays unchanged, and undoing restores everything', async () => {
    const { config, put, root, at } = await bed();
    put('.gitignore', 'ignored.txt\n');
    mkdirSync(at('.git'));
    put('a.txt', 'one\n');
    put('binary', Buffer.from([0, 255, 254, 10, 13]));
    put('deep/er/file', 'x'.repeat(100_000));
    put('run.sh', '#!/bin/sh\n');
    execFileSync('chmod', ['755', at('run.sh')]);
    symlinkSync('a.txt', at('link'));
    put('was-folder/inside', 'in\n');
    put('was-file', 'file\n');
    const before = pictureOf(root);
    const { commit, gitDir } = shadow(config);
    const repository = pictureOf(gitDir);
    put('a.txt', 'two\n');
    put('binary', 'text');
    put('created/by/it', 'new');
    execFileSync(
      'sh',
      ['-c', 'rm -r was-folder was-file; echo x > was-folder; mkdir was-file; echo y > was-file/y'],
      {
        cwd: root,
      },
    );
    put('ignored.txt', 'kept');
    execFileSync('sh', ['-c', 'rm -r deep link; chmod 644 run.sh'], { cwd: root });
    const changed = pictureOf(root);
    const name = checkpointFile(config, { ...theirs, commitHash: commit });
    const { checkpoints, rewind } = await config.getCheckpoints();
    const preview = await checkpoints.preview(name);
    expect(preview.files.problem).toBeUndefined();
    expect(pictureOf(root)).toEqual(changed);
    const restored = await checkpoints.restore(name);
    expect(restored.files.steps.filter(({ status }) => status !== 'done')).toEqual([]);
    const { 'ignored.txt': ignored, ...rest } = pictureOf(root);
    expect(rest).toEqual(before);
    expect(ignored).toContain('kept');
    expect(pictureOf(gitDir)).toEqual(repository);
    expect(restored.history).toEqual([
      { type: 'user', text: 'please' },
      { type: 'tool_group', tools: [{ callId: 'x', name: 'ReadFile', description: 'a', status: 'success' }] },
    ]);
    expect(restored.toolCall).toMatchObject(theirs.toolCall);
    const messages = config.getGeminiClient().getChat().getHistory();
    expect(messages.map(({ origin }) => origin)).toEqual(['context', 'prompt', 'model', 'model']);
    expect(messages[1]?.parts).toEqual([{ text: 'please' }]);
    await rewind.undo(restored.files.undoIds);
    expect(pictureOf(root)).toEqual(changed);
  });

  it.each([
    ['its repository', 'a'.repeat(40), /shadow repository of Gemini CLI is not there/],
    ['a commit that is an option', '--output=/tmp/x', /it does not name a commit/],
  ])(
    'without %s restores the conversation, with one line about the files',
    async (_what, commitHash, line) => {
      const { config, put, read } = await bed();
      put('a.txt', 'as it is\n');
      const { checkpoints } = await config.getCheckpoints();
      const { files, history } = await checkpoints.restore(checkpointFile(config, { ...theirs, commitHash }));
      expect(files).toMatchObject({ steps: [], problem: expect.stringMatching(line) });
      expect(files.problem).not.toContain('\n');
      expect(history[0]).toEqual({ type: 'user', text: 'please' });
      expect(read('a.txt')).toBe('as it is\n');
    },
  );

  it('with a broken git gives one line', async () => {
    const bin = tempDir('bin-');
    onTestFinished(() => bin.cleanup());
    const path = process.env['PATH'];
    vi.stubEnv('PATH', `${bin.path}:${path}`);
    const { config, put } = await bed();
    vi.unstubAllEnvs();
    put('a.txt', 'x\n');
    const { commit } = shadow(config);
    writeFileSync(join(bin.path, 'git'), '#!/bin/sh\necho broken >&2\nexit 1\n', { mode: 0o755 });
    const { checkpoints } = await config.getCheckpoints();
    const { files } = await checkpoints.restore(checkpointFile(config, { ...theirs, commitHash: commit }));
    expect(files.problem).toMatch(/^The files of this checkpoint cannot be restored: .*broken\.$/);
  });
});
