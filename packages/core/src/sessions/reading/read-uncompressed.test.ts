import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textOf, toParts } from '../../protocol/messages.js';
import { type TestSessions, testSessions } from '../sessions.test-helper.js';
import { readUncompressed } from './read-uncompressed.js';

let sessions: TestSessions;
beforeEach(() => {
  sessions = testSessions();
});
afterEach(() => sessions.cleanup());

const OURS = { sessionId: 's', projectHash: 'h', startTime: '2026-11-15T10:00:00.000Z', formatVersion: 1 };
const { formatVersion: _, ...THEIRS } = OURS;
const user = (id: string, more = {}) => ({ id, timestamp: '', type: 'user', content: id, ...more });
const gemini = (id: string) => ({ id, timestamp: '', type: 'gemini', content: id });
const summary = (id: string) => user(id, { origin: 'summary' });
const replaced = (...messages: object[]) => ({ $set: { messages } });

function undone(...lines: object[]): string[] | undefined {
  const path = sessions.put(
    'project/chats/session-x.jsonl',
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  return readUncompressed(path, 1e6)?.messages.map(({ content }) => textOf(toParts(content)));
}

describe('readUncompressed', () => {
  it('returns the messages before the last compression and those since', () => {
    const lines = [OURS, user('u1'), gemini('g1'), user('u2'), gemini('g2')];
    expect(undone(...lines)).toBeUndefined();
    expect(undone(...lines, replaced(summary('s1'), gemini('g2')), user('u3'))).toEqual([
      'u1',
      'g1',
      'u2',
      'g2',
      'u3',
    ]);
  });

  it('returns the summary of the compression before, then the messages it replaced', () => {
    const lines = [
      OURS,
      user('u1'),
      gemini('g1'),
      replaced(summary('s1')),
      user('u2'),
      gemini('g2'),
      replaced(summary('s2')),
      user('u3'),
    ];
    expect(undone(...lines)).toEqual(['s1', 'u2', 'g2', 'u3']);
    const restored = replaced(summary('s1'), user('u2'), gemini('g2'), user('u3'));
    expect(undone(...lines, restored)).toEqual(['u1', 'g1', 'u2', 'g2', 'u3']);
  });

  it('respects a rewind', () => {
    const lines = [OURS, user('u1'), gemini('g1'), user('u2'), gemini('g2')];
    const compressed = replaced(summary('s1'), user('u2'), gemini('g2'));
    expect(undone(...lines, compressed, user('u3'), { $rewindTo: 'u3' })).toEqual(['u1', 'g1', 'u2', 'g2']);
    expect(undone(...lines, compressed, { $rewindTo: 'u2' })).toEqual(['u1', 'g1']);
  });

  it('finds compressions of Gemini CLI, which does not mark its summaries', () => {
    const lines = [THEIRS, replaced(user('context')), user('u1'), gemini('g1'), user('u2'), gemini('g2')];
    expect(undone(...lines)).toBeUndefined();
    expect(undone(...lines, replaced(user('a summary'), gemini('g2')))).toEqual([
      'context',
      'u1',
      'g1',
      'u2',
      'g2',
    ]);
  });

  it('does not return messages of another conversation that was loaded later', () => {
    expect(undone(OURS, user('u1'), gemini('g1'), replaced(user('x1'), gemini('y1')))).toBeUndefined();
  });
});
