import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, createTestConfig, sendPrompt, startModelServer, text } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Content } from '../../protocol/messages.js';
import { type TestSessions, testSessions } from '../sessions.test-helper.js';
import { ChatCheckpointStore } from './chat-checkpoints.js';

const HISTORY: Content[] = [
  { role: 'user', parts: [{ text: 'hi SECRET' }] },
  { role: 'model', parts: [{ text: 'hello', thoughtSignature: 'SECRET' }] },
];

let sessions: TestSessions;
let store: ChatCheckpointStore;
let directory: string;
beforeEach(() => {
  sessions = testSessions();
  directory = sessions.places.projectTempDir;
  const redact = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('SECRET', '***'));
  store = new ChatCheckpointStore({ directory, redact });
});
afterEach(() => sessions.cleanup());

describe('a conversation saved under a tag', () => {
  it('is one private file without secrets, and is restored', () => {
    const path = store.save('my tag', HISTORY, 'oauth');
    expect(path).toBe(join(directory, 'checkpoint-my%20tag.json'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const value = JSON.parse(readFileSync(path, 'utf8'));
    expect(Object.keys(value)).toEqual(['history', 'authType']);
    expect(value.history[0].parts[0].text).toBe('hi ***');
    expect(value.history[1].parts[0].thoughtSignature).toBe('SECRET');
    expect(store.load('my tag')).toMatchObject({
      authType: 'oauth',
      history: [{ role: 'user' }, { role: 'model' }],
    });
    expect(store.list()).toMatchObject([{ tag: 'my tag', path }]);
    store.delete('my tag');
    expect(store.list()).toEqual([]);
    expect(() => store.load('my tag')).toThrow('There is no checkpoint with the tag "my tag".');
  });

  it.each(['../../x', '..', 'a/b\\c', '%2e%2e', 'ünï', 'a*?', 'x'.repeat(200)])(
    'stays in its folder with the tag %s',
    (tag) => {
      const path = store.save(tag, HISTORY);
      expect(readdirSync(directory)).toEqual([path.slice(directory.length + 1)]);
      expect(store.list().map((info) => info.tag)).toEqual([tag]);
      expect(store.load(tag).history).toHaveLength(2);
    },
  );

  it.each(['', '  ', 'x'.repeat(300), 'é'.repeat(100), 'a\u001b[31m', 'a\nb', '\ud800'])(
    'is refused with the tag %j',
    (tag) => {
      expect(() => store.save(tag, HISTORY)).toThrow(expect.objectContaining({ code: 'INVALID_TAG' }));
      expect(() => store.load(tag)).toThrow(expect.objectContaining({ code: 'INVALID_TAG' }));
    },
  );

  it('is read as older versions wrote it: a bare history under a name that is not encoded', () => {
    sessions.put('project/checkpoint-old tag.json', JSON.stringify(HISTORY));
    expect(store.list().map(({ tag }) => tag)).toEqual(['old tag']);
    expect(store.load('old tag')).toEqual({ history: HISTORY });
    store.save('old tag', HISTORY);
    expect(readdirSync(directory)).toEqual(['checkpoint-old%20tag.json']);
  });

  it('is never written or read through a link', () => {
    const elsewhere = sessions.put('elsewhere.json', 'kept');
    symlinkSync(elsewhere, join(sessions.put('project/x', '').slice(0, -1), 'checkpoint-tag.json'));
    expect(() => store.save('tag', HISTORY)).toThrow(/is a link/);
    expect(() => store.load('tag')).toThrow(/There is no checkpoint/);
    expect(readFileSync(elsewhere, 'utf8')).toBe('kept');
  });

  it.each([
    ['{"history":', /not complete JSON/],
    ['{"other":1}', /does not hold a conversation/],
    ['"text"', /does not hold a conversation/],
  ])('is reported as unreadable when it holds %s', (content, line) => {
    sessions.put('project/checkpoint-bad.json', content);
    expect(() => store.load('bad')).toThrow(line);
  });
});

describe('the conversation of a session', { timeout: 60_000 }, () => {
  async function session() {
    const model = await startModelServer();
    onTestFinished(() => model.close());
    const config = await createTestConfig({ sessions: {} }, { model });
    model.replies([callTool('list_directory', { dir_path: '.' })], [text('empty')]);
    await sendPrompt(config, 'what is here?');
    return { config, model, chats: (await config.getCheckpoints()).chats };
  }

  it('is saved, needs confirmation when the tag exists, and is resumed', async () => {
    const { config, model, chats } = await session();
    expect(chats.save('one')).toMatchObject({ status: 'saved' });
    expect(chats.save('one')).toMatchObject({ status: 'exists' });
    expect(chats.save('one', { overwrite: true })).toMatchObject({ status: 'saved' });
    await config.getGeminiClient().resetChat();
    const loaded = await chats.load('one');
    expect(loaded.history.map(({ type }) => type)).toEqual(['user', 'tool_group', 'gemini']);
    model.replies([text('yes')]);
    await sendPrompt(config, 'sure?');
    const { contents } = model.lastRequest().body;
    expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'model', 'user']);
    expect(JSON.stringify(contents)).toMatch(/what is here.*functionResponse.*empty.*sure/);
  });

  it('is refused when it was saved with another sign-in method', async () => {
    const { config, chats } = await session();
    const { path } = chats.save('one');
    const value = JSON.parse(readFileSync(path, 'utf8'));
    expect(value.authType).toBe(config.getAuthType());
    writeFileSync(path, JSON.stringify({ ...value, authType: 'another' }));
    await expect(chats.load('one')).rejects.toMatchObject({ code: 'OTHER_SIGN_IN' });
  });

  it('is shared only as JSON or Markdown', async () => {
    const { config, chats } = await session();
    const root = config.getTargetDir();
    expect(chats.share('talk.json')).toEqual({ status: 'saved', path: join(root, 'talk.json') });
    expect(chats.share('talk.json')).toMatchObject({ status: 'exists' });
    const json = readFileSync(join(root, 'talk.json'), 'utf8');
    expect(JSON.parse(json).map(({ role }: Content) => role)).toEqual(['user', 'model', 'user', 'model']);
    expect(json).toContain('\n  {\n    "role": "user"');
    chats.share('talk.md');
    const markdown = readFileSync(join(root, 'talk.md'), 'utf8');
    expect(markdown).toMatch(
      /^## USER 🧑‍💻\n\nwhat is here\?\n\n---\n\n## MODEL ✨\n\n\*\*Tool Command\*\*:\n/,
    );
    expect(markdown).toContain('**Tool Response**:');
    expect(() => chats.share('talk.txt')).toThrow(/only .json and .md/);
    expect(existsSync(join(root, 'talk.txt'))).toBe(false);
    expect(chats.share().path).toMatch(/gemini-conversation-\d+\.json$/);
  });

  it('cannot be saved before the first message', async () => {
    const config = await createTestConfig();
    const { chats } = await config.getCheckpoints();
    expect(() => chats.save('one')).toThrow(expect.objectContaining({ code: 'EMPTY_CONVERSATION' }));
    expect(() => chats.share('a.md')).toThrow(expect.objectContaining({ code: 'EMPTY_CONVERSATION' }));
  });
});
