import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeOldCheckpoints } from '../cleaning/old-checkpoints.js';
import { START, type TestSessions, testSessions } from '../sessions.test-helper.js';
import type { Checkpoint } from './format.js';
import { checkpointPlaces } from './places.js';
import { CheckpointStore } from './store.js';

let sessions: TestSessions;
let store: CheckpointStore;
let directory: string;
beforeEach(() => {
  sessions = testSessions();
  const places = checkpointPlaces(sessions.places);
  directory = places.directory;
  store = new CheckpointStore(places);
});
afterEach(() => sessions.cleanup());

const CHECKPOINT: Checkpoint = {
  sessionId: 'session-1',
  messageId: 'm1',
  snapshotId: 'abcd1234',
  toolCall: { name: 'write_file', args: { file_path: 'a.ts' } },
  agentState: {
    mode: 'default',
    model: 'm',
    todos: [{ description: 'x', status: 'pending' }],
    skills: ['s'],
  },
  history: [{ type: 'user', text: 'hi' }],
  clientHistory: [{ role: 'user', parts: [{ text: 'hi' }] }],
};
const subject = { timeMs: START, path: '/project/src/a.ts', toolName: 'write_file' };

describe('a checkpoint', () => {
  it('is found by the tag of the user alone, the newest of that tag first', () => {
    const subject = { path: 'before the rewrite', toolName: 'checkpoint' };
    store.write({ ...CHECKPOINT, messageId: 'old' }, { ...subject, timeMs: START });
    store.write({ ...CHECKPOINT, messageId: 'new' }, { ...subject, timeMs: START + 1_000 });
    store.write(CHECKPOINT, { path: 'other', toolName: 'checkpoint', timeMs: START + 2_000 });
    expect(store.read('before the rewrite').messageId).toBe('new');
    expect(() => store.read('rewrite')).toThrow('There is no checkpoint "rewrite".');
  });

  it('is a private file named by time, file and tool, and reads back as it was', () => {
    const name = store.write(CHECKPOINT, subject);
    expect(name).toBe('2026-11-15T10-00-00_000Z-a.ts-write_file');
    const path = join(directory, `${name}.json`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(CHECKPOINT);
    expect(store.read(name)).toEqual(CHECKPOINT);
    expect(store.read(`${name}.json`)).toEqual(CHECKPOINT);
    expect(readdirSync(directory)).toEqual([`${name}.json`]);
  });

  it('gets a name of its own when another was made at the same moment', () => {
    store.write(CHECKPOINT, subject);
    expect(store.write(CHECKPOINT, subject)).toBe('2026-11-15T10-00-00_000Z-a.ts-write_file-2');
    expect(store.list().checkpoints).toHaveLength(2);
  });

  it.each([
    ['a\u001b[2Jb\nc', 'a_[2Jb_c'],
    ['a:b*c?.ts', 'a_b_c_.ts'],
    ['é'.repeat(200), 'é'.repeat(50)],
    ['..', '..'],
  ])('gets a harmless name for a file named %j', (path, shown) => {
    const name = store.write(CHECKPOINT, { ...subject, path });
    expect(name).toBe(`2026-11-15T10-00-00_000Z-${shown}-write_file`);
    expect(store.list().checkpoints.map((info) => info.name)).toEqual([name]);
  });

  it('is also found in an older place', () => {
    sessions.put('old/checkpoints/2025-01-01T00-00-00_000Z-b-replace.json', JSON.stringify(CHECKPOINT));
    expect(store.list().checkpoints).toMatchObject([
      { fileName: 'b', toolName: 'replace', time: '2025-01-01T00:00:00.000Z' },
    ]);
    expect(store.read('2025-01-01T00-00-00_000Z-b-replace').snapshotId).toBe('abcd1234');
  });
});

describe('files that are not checkpoints', () => {
  it('are reported and omitted from the list', () => {
    const good = store.write(CHECKPOINT, subject);
    const put = (name: string, content: string | Buffer) =>
      sessions.put(`project/checkpoints/${name}`, content);
    put('binary.json', Buffer.from([0x7b, 0, 1, 2]));
    put('cut.json', JSON.stringify(CHECKPOINT).slice(0, -5));
    put('large-cut.json', `{"history":["${'x'.repeat(400_000)}`);
    put('empty.json', '');
    put('list.json', '[1,2]');
    put('other.json', '{"name":"package"}');
    put('text.json', 'hello');
    put('esc\u001b[31m.json', '{}');
    truncateSync(put('huge.json', '{}'), 300 * 1024 * 1024);
    symlinkSync('/etc/passwd', join(directory, 'link.json'));
    mkdirSync(join(directory, 'folder.json'));
    const { checkpoints, problems } = store.list();
    expect(checkpoints.map(({ name }) => name)).toEqual([good]);
    expect(problems).toHaveLength(11);
    for (const problem of problems)
      expect(problem).toMatch(/is not a checkpoint and is skipped: [^\n\u001b]+$/);
    for (const name of ['binary', 'cut', 'large-cut', 'empty', 'list', 'other', 'huge', 'link', 'folder']) {
      expect(() => store.read(name), name).toThrow(
        expect.objectContaining({ code: 'UNREADABLE_CHECKPOINT' }),
      );
    }
  });

  it('lose only the fields that are wrong', () => {
    const value = {
      history: [
        1,
        null,
        { type: 'user' },
        { type: 'gemini', text: 'ok' },
        { type: 'tool_group', tools: [7, { name: 'x' }] },
      ],
      clientHistory: [
        3,
        { role: 'system', parts: [] },
        { role: 'user', parts: ['plain', { text: 'ok' }, 9] },
        { role: 'model' },
      ],
      toolCall: { name: 'x', args: 'none' },
      messageId: 5,
      agentState: {
        mode: {},
        todos: [
          { description: 'a', status: 'odd' },
          { description: 'b', status: 'blocked' },
        ],
        skills: [1, 's'],
      },
    };
    sessions.put('project/checkpoints/odd.json', JSON.stringify(value));
    expect(store.read('odd')).toEqual({
      toolCall: { name: 'x', args: {} },
      agentState: { todos: [{ description: 'b', status: 'blocked' }], skills: ['s'] },
      history: [
        { type: 'gemini', text: 'ok' },
        { type: 'tool_group', tools: [{ callId: '', name: 'x', description: '', status: 'cancelled' }] },
      ],
      clientHistory: [{ role: 'user', parts: [{ text: 'plain' }, { text: 'ok' }] }],
    });
  });
});

describe('checkpoint clean-up', () => {
  const DAY = 86_400_000;
  const plan = { maxAgeMs: 30 * DAY, minRetentionMs: DAY };

  it('deletes checkpoints with their session and by age, never young ones or those of this session', () => {
    const now = START + 100 * DAY;
    const make = (name: string, sessionId: string, ageDays: number) => {
      const timeMs = now - ageDays * DAY;
      const file = join(
        directory,
        `${store.write({ ...CHECKPOINT, sessionId }, { timeMs, path: name, toolName: 'replace' })}.json`,
      );
      utimesSync(file, timeMs / 1000, timeMs / 1000);
      return file;
    };
    const kept = [make('young', 'deleted', 0.5), make('current', 'current', 50), make('other', 'other', 20)];
    const gone = [make('old', 'other', 31), make('orphan', 'deleted', 2)];
    const link = join(directory, 'x.json');
    symlinkSync('/etc/passwd', link);
    const result = removeOldCheckpoints({
      places: sessions.places,
      plan,
      deletedSessions: ['deleted'],
      currentSessionId: 'current',
      now: () => now,
      leaps: [],
    });
    // A link is removed, not its target.
    expect(result.sort()).toEqual([...gone, link].sort());
    expect(kept.filter((path) => !existsSync(path))).toEqual([]);
    expect(existsSync('/etc/passwd')).toBe(true);
  });

  it('does nothing in a project without checkpoints', () => {
    const nothing = {
      places: sessions.places,
      plan,
      deletedSessions: [],
      currentSessionId: 'x',
      now: () => START,
      leaps: [],
    };
    expect(removeOldCheckpoints(nothing)).toEqual([]);
  });
});
