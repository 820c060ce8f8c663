/** Rewinding a real session, and forward again: a scripted model, real files, the snapshot worker. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callTool, createTestConfig, sendPrompt, startModelServer, text } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConfigParameters } from '../engine/parameters.js';
import { pictureOf } from '../platform/snapshots/snapshots.test-helper.js';
import { readSession } from '../sessions/reading/read-session.js';
import { Config } from './config.js';

async function bed(parameters: Partial<ConfigParameters> = {}) {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const config = await createTestConfig({ sessions: {}, ...parameters }, { model });
  const root = config.getTargetDir();
  const at = (name: string) => join(root, name);
  const put = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  const { rewind } = await config.getCheckpoints();
  return { config, model, root, at, put, read: (name: string) => readFileSync(at(name), 'utf8'), rewind };
}

const edit = (path: string, content: string) => callTool('write_file', { file_path: path, content });
const shell = (command: string) => callTool('run_shell_command', { command });

/** Four turns: text only, an edit, a command, both. */
async function conversation(parameters: Partial<ConfigParameters> = {}) {
  const it = await bed(parameters);
  const { config, model, put, root } = it;
  put('a.txt', 'one\ntwo\n');
  put('bytes', Buffer.from([0, 200, 10, 13, 255]));
  put('sub/moved.txt', 'moves\n');
  model.replies(
    [text('hello')],
    [edit('a.txt', 'one\n2\n3\n')],
    [text('edited')],
    [
      shell(
        'rm bytes; mv sub/moved.txt elsewhere.txt; mkdir -p made/deep; printf "\\001\\377" > made/deep/x; chmod 750 a.txt',
      ),
    ],
    [text('ran')],
    [edit('b.txt', 'b\n'), shell('echo more >> a.txt')],
    [text('both')],
  );
  const pictures = [pictureOf(root)];
  for (const prompt of ['first', 'second', 'third', 'fourth']) {
    await sendPrompt(config, prompt);
    pictures.push(pictureOf(root));
  }
  return { ...it, pictures };
}

const originsOf = (config: Config) =>
  config
    .getGeminiClient()
    .getChat()
    .getHistory()
    .map(({ origin }) => origin);

const linesOf = (config: Config) =>
  readFileSync(config.getChatRecordingService()?.conversationFile ?? '', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the turns of a session', { timeout: 60_000 }, () => {
  it('are listed with what each changed', async () => {
    const { rewind, at } = await conversation();
    const turns = await rewind.turns();
    expect(turns.map(({ text, added, removed, canRevert }) => ({ text, added, removed, canRevert }))).toEqual(
      [
        { text: 'first', added: 0, removed: 0, canRevert: true },
        { text: 'second', added: 2, removed: 1, canRevert: true },
        { text: 'third', added: 0, removed: 0, canRevert: true },
        { text: 'fourth', added: 1, removed: 0, canRevert: true },
      ],
    );
    expect(rewind.items(turns[1]?.messageId ?? '').map(({ type }) => type)).toEqual([
      'user',
      'tool_group',
      'gemini',
    ]);
    expect(turns[0]?.files).toEqual([]);
    expect(turns[1]?.files).toEqual([{ path: at('a.txt'), added: 2, removed: 1 }]);
    expect(turns[2]?.files.map(({ path }) => path).sort()).toEqual(
      ['a.txt', 'bytes', 'elsewhere.txt', 'made/deep/x', 'sub/moved.txt'].map(at).sort(),
    );
    expect(turns[3]?.files).toEqual([{ path: at('b.txt'), added: 1, removed: 0 }, { path: at('a.txt') }]);
  });
});

describe('rewinding a session', { timeout: 60_000 }, () => {
  it('to turn 3 with files, and forward again, is right byte for byte', async () => {
    const { config, rewind, root, pictures, model } = await conversation();
    const before = originsOf(config);
    const [, , third] = await rewind.turns();
    const result = await rewind.rewindTo(third?.messageId ?? '', 'both');
    expect(pictureOf(root)).toEqual(pictures[2]);
    expect(result).toMatchObject({ text: 'third', removedTurns: 2 });
    expect(result.files.steps.filter(({ status }) => status !== 'done')).toEqual([]);
    expect(originsOf(config)).toEqual([
      'context',
      'prompt',
      'model',
      'prompt',
      'model',
      'tool_response',
      'model',
    ]);
    expect(linesOf(config)).toContainEqual({ $rewindTo: third?.messageId });
    expect((await rewind.turns()).map(({ text }) => text)).toEqual(['first', 'second']);

    expect(rewind.canGoForward).toBe(true);
    await rewind.forward();
    expect(pictureOf(root)).toEqual(pictures[4]);
    expect(originsOf(config)).toEqual(before);
    expect((await rewind.turns()).map(({ text }) => text)).toEqual(['first', 'second', 'third', 'fourth']);
    const file = config.getChatRecordingService()?.conversationFile ?? '';
    const prompts = readSession(file).messages.filter(({ type, origin }) => type === 'user' && !origin);
    expect(prompts).toHaveLength(4);
    expect(rewind.canGoForward).toBe(false);

    // And the conversation continues.
    model.replies([text('fifth answer')]);
    await sendPrompt(config, 'fifth');
    expect(JSON.stringify(model.lastRequest().body.contents)).toMatch(/third.*fourth.*fifth/);
  });

  it.each([1, 2, 3, 4])('to turn %i restores the files of that moment', async (number) => {
    const { rewind, root, pictures } = await conversation();
    const turn = (await rewind.turns())[number - 1];
    await rewind.rewindTo(turn?.messageId ?? '', 'files');
    expect(pictureOf(root)).toEqual(pictures[number - 1]);
    expect(await rewind.turns()).toHaveLength(4);
    await rewind.forward();
    expect(pictureOf(root)).toEqual(pictures[4]);
  });

  it('further back after a rewind counts everything once', async () => {
    const { rewind, root, pictures } = await conversation();
    const turns = await rewind.turns();
    await rewind.rewindTo(turns[3]?.messageId ?? '', 'both');
    await rewind.rewindTo(turns[1]?.messageId ?? '', 'both');
    expect(pictureOf(root)).toEqual(pictures[1]);
  });

  it('of the conversation alone keeps the files, which a later rewind still restores', async () => {
    const { config, rewind, root, pictures, model, put } = await conversation();
    const turns = await rewind.turns();
    const { files } = await rewind.rewindTo(turns[2]?.messageId ?? '', 'conversation');
    expect(files).toEqual({ steps: [], undoIds: [] });
    expect(pictureOf(root)).toEqual(pictures[4]);
    model.replies([text('again')]);
    await sendPrompt(config, 'third, otherwise');
    expect(JSON.stringify(model.lastRequest().body.contents)).not.toContain('fourth');
    put('by-hand.txt', 'mine\n');
    await rewind.rewindTo(turns[1]?.messageId ?? '', 'files');
    const { 'by-hand.txt': mine, ...rest } = pictureOf(root);
    expect(mine).toContain('mine');
    expect(rest).toEqual(pictures[1]);
  });

  it('keeps and names a file that another process changed since', async () => {
    const { rewind, read, put } = await conversation();
    put('a.txt', 'my own words\n');
    const turns = await rewind.turns();
    const preview = await rewind.preview(turns[1]?.messageId ?? '');
    const { files } = await rewind.rewindTo(turns[1]?.messageId ?? '', 'both');
    for (const { steps } of [preview, files]) {
      expect(steps.filter(({ status }) => status === 'changed-since').map(({ path }) => path)).toEqual([
        expect.stringMatching(/a\.txt$/),
      ]);
    }
    expect(read('a.txt')).toBe('my own words\n');
    expect(read('sub/moved.txt')).toBe('moves\n');
  });

  it('to an unknown turn is refused, and nothing changes', async () => {
    const { rewind, root, pictures } = await conversation();
    await expect(rewind.rewindTo('nothing', 'both')).rejects.toMatchObject({ code: 'UNKNOWN_MESSAGE' });
    await expect(rewind.forward()).rejects.toMatchObject({ code: 'UNKNOWN_MESSAGE' });
    expect(pictureOf(root)).toEqual(pictures[4]);
  });

  it('is refused while a request runs', async () => {
    const { config, rewind, model } = await bed();
    model.replies([text('a')]);
    const events = config.getSession().send('x');
    await events.next();
    await expect(rewind.rewindTo('any', 'both')).rejects.toMatchObject({ code: 'BUSY' });
    for await (const _ of events);
  });

  it('uses stored diffs where snapshots are disabled', async () => {
    const { config, model, put, read, rewind, root } = await bed({ undo: { enabled: false } });
    put('a.txt', '1\n2\n3\n4\n5\n6\n7\n8\n9\n');
    const before = pictureOf(root);
    model.replies(
      [edit('a.txt', '1\n2\n3\n4\n5\n6\n7\n8\nnine\n'), edit('new.txt', 'new\n')],
      [edit('a.txt', '1\n2\n3\n4\n5\n6\n7\neight\nnine\n')],
      [text('done')],
    );
    await sendPrompt(config, 'go');
    const [turn] = await rewind.turns();
    put('a.txt', `by hand\n${read('a.txt')}`);
    const { files } = await rewind.rewindTo(turn?.messageId ?? '', 'files');
    expect(read('a.txt')).toBe('by hand\n1\n2\n3\n4\n5\n6\n7\n8\n9\n');
    expect(Object.keys(pictureOf(root))).toEqual(Object.keys(before));
    expect(files).toMatchObject({
      undoIds: [],
      steps: [{ status: 'done' }, { status: 'done', action: 'delete' }],
    });
  });

  it('keeps the files where snapshots cannot be read, and says so', async () => {
    const { config, model, put, rewind, root } = await bed();
    put('a.txt', 'old\n');
    const store = config.storage.getSnapshotDir();
    mkdirSync(dirname(store), { recursive: true });
    writeFileSync(store, 'a file where a folder should be');
    model.replies([text('hello')]);
    await sendPrompt(config, 'go');
    const before = pictureOf(root);
    const [turn] = await rewind.turns();
    const result = await rewind.rewindTo(turn?.messageId ?? '', 'both');
    expect(result).toMatchObject({ removedTurns: 1, files: { steps: [], undoIds: [] } });
    expect(result.files.problem).toMatch(/^Files cannot be reverted: [^\n]+$/);
    expect(pictureOf(root)).toEqual(before);
  });

  it('works in another process that resumes the session', async () => {
    const { config, root, pictures } = await conversation();
    const resume = config.getChatRecordingService()?.conversationFile ?? '';
    await config.shutdown();
    const next = new Config({ ...config.parameters, sessions: { resume } });
    onTestFinished(() => next.shutdown());
    await next.initialize();
    const { rewind } = await next.getCheckpoints();
    const turns = await rewind.turns();
    expect(turns.map(({ text }) => text)).toEqual(['first', 'second', 'third', 'fourth']);
    await rewind.rewindTo(turns[2]?.messageId ?? '', 'both');
    expect(pictureOf(root)).toEqual(pictures[2]);
    expect(readSession(resume).messages.filter(({ type }) => type === 'gemini')).toHaveLength(3);
    await rewind.forward();
    expect(pictureOf(root)).toEqual(pictures[4]);
  });

  it('works without a recording', async () => {
    const { rewind, root, pictures } = await conversation({ sessions: undefined });
    const turns = await rewind.turns();
    expect(turns.map(({ messageId }) => messageId)).toEqual(['turn-1', 'turn-2', 'turn-3', 'turn-4']);
    await rewind.rewindTo('turn-3', 'both');
    expect(pictureOf(root)).toEqual(pictures[2]);
    await rewind.forward();
    expect(pictureOf(root)).toEqual(pictures[4]);
  });
});

describe('a session recorded by Gemini CLI', { timeout: 60_000 }, () => {
  it('is rewound by its diffs, and forward again', async () => {
    const first = await bed();
    const { root } = first;
    const at = (name: string) => join(root, name);
    const file = join(dirname(root), 'session-2026-01-01T00-00-abcd1234.jsonl');
    const diff = (path: string, before: string | null, after: string, patch: string) => ({
      fileName: path,
      filePath: at(path),
      fileDiff: patch,
      originalContent: before,
      newContent: after,
      isNewFile: before === null,
    });
    const call = (id: string, resultDisplay: object) => ({
      id,
      name: 'replace',
      args: {},
      status: 'success',
      timestamp: '2026-01-01T00:00:02.000Z',
      result: [{ functionResponse: { id, name: 'replace', response: { output: 'ok' } } }],
      resultDisplay,
    });
    const patch = '--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n';
    const lines = [
      {
        sessionId: 'abcd1234-0000-4000-8000-000000000000',
        projectHash: 'x',
        startTime: '2026-01-01T00:00:00.000Z',
        lastUpdated: '2026-01-01T00:00:00.000Z',
      },
      { id: 'u1', timestamp: '2026-01-01T00:00:01.000Z', type: 'user', content: 'change them' },
      {
        id: 'g1',
        timestamp: '2026-01-01T00:00:02.000Z',
        type: 'gemini',
        content: 'ok',
        toolCalls: [
          call('c1', diff('a.txt', 'old\n', 'new\n', patch)),
          call('c2', diff('made.txt', null, 'made\n', '')),
          call('c3', diff('left.txt', 'x\n', 'y\n', '')),
          call('c4', diff('masked.txt', 'key=[redacted]\n', 'z\n', '')),
          call('c5', { ...diff('a.txt', 'x', 'y', ''), filePath: '/etc/hostname' }),
        ],
      },
    ];
    writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    const { config, rewind } = await bed({
      targetDir: root,
      sessionId: 'abcd1234-0000-4000-8000-000000000000',
      sessions: { resume: file },
    });
    first.put('a.txt', 'new\n');
    first.put('made.txt', 'made\n');
    first.put('left.txt', 'changed by hand\n');
    first.put('masked.txt', 'z\n');
    const before = pictureOf(root);
    const [turn] = await rewind.turns();
    expect(turn).toMatchObject({ messageId: 'u1', text: 'change them', canRevert: true });
    const { files } = await rewind.rewindTo('u1', 'both');
    expect(first.read('a.txt')).toBe('old\n');
    expect(Object.keys(pictureOf(root)).sort()).toEqual(['a.txt', 'left.txt', 'masked.txt']);
    expect(first.read('left.txt')).toBe('changed by hand\n');
    expect(first.read('masked.txt')).toBe('z\n');
    expect(files.steps.map(({ path, status }) => [path.replace(`${root}/`, ''), status])).toEqual([
      ['a.txt', 'done'],
      ['made.txt', 'done'],
      ['left.txt', 'changed-since'],
      ['masked.txt', 'not-covered'],
      ['/etc/hostname', 'unsafe'],
    ]);
    expect(originsOf(config)).toEqual(['context']);
    await rewind.forward();
    expect(pictureOf(root)).toEqual(before);
  });
});
