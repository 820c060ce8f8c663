import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTestConfig, sendPrompt } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { START, type TestSessions, testSessions } from '../sessions.test-helper.js';
import { relativeTime } from './relative-time.js';
import { listSessions, titleOf } from './session-info.js';
import { SessionSelector } from './session-selector.js';

let sessions: TestSessions;
beforeEach(() => {
  sessions = testSessions();
});
afterEach(() => sessions.cleanup());

function record(sessionId: string, prompt: string, answer = 'fine'): void {
  const service = sessions.service({ sessionId });
  service.recordUser('<session_context>\nneedle in the context', { origin: 'context' });
  service.recordUser(prompt);
  service.recordAnswer({ parts: [{ text: answer }] });
  service.close();
  sessions.time.now += 60_000;
}

const selector = () =>
  new SessionSelector({
    places: sessions.places,
    currentSessionId: 'abcdef22-2',
    now: () => sessions.time.now,
  });

describe('the session list', () => {
  it('is sorted by start and omits empty and unreadable sessions and sub-agents', async () => {
    record('abcdef11-1', 'first prompt');
    record('abcdef22-2', 'second\nprompt');
    const agent = sessions.service({ sessionId: 'agent', parentSessionId: 'abcdef11-1' });
    agent.recordUser('x');
    agent.close();
    sessions.put('project/chats/session-empty.jsonl', '');
    sessions.put('project/chats/session-binary.json', Buffer.from([0, 159, 146, 150]));
    sessions.put(
      'project/chats/session-info.jsonl',
      '{"sessionId":"i","projectHash":"h"}\n{"id":"1","type":"user","content":"/help"}\n',
    );
    sessions.put(
      'project/chats/session-agent.jsonl',
      '{"sessionId":"a","projectHash":"h","kind":"subagent"}\n{"id":"1","type":"user","content":"x"}\n',
    );
    mkdirSync(join(sessions.places.chatsDir, 'session-folder.jsonl'));
    const unreadable: string[] = [];
    const list = listSessions(sessions.places, {
      currentSessionId: 'abcdef22-2',
      onUnreadable: (path) => unreadable.push(path),
    });
    expect(list).toMatchObject([
      {
        id: 'abcdef11-1',
        index: 1,
        displayName: 'first prompt',
        isCurrentSession: false,
        messageCount: 2,
        userMessageCount: 1,
        file: 'session-2026-11-15T10-00-abcdef11',
      },
      { id: 'abcdef22-2', index: 2, displayName: 'second prompt', isCurrentSession: true },
    ]);
    expect(unreadable).toHaveLength(3);
    expect(await selector().listSessions()).toHaveLength(2);
  });

  it('contains files of other programs, which do not end with a metadata line', () => {
    const line = (value: unknown) => `${JSON.stringify(value)}\n`;
    const metadata = {
      sessionId: 'foreign-1',
      projectHash: 'h',
      startTime: '2026-01-01T00:00:00.000Z',
      lastUpdated: '2026-01-01T00:00:00.000Z',
      kind: 'main',
    };
    const big = { id: '2', timestamp: 't', type: 'gemini', content: 'x'.repeat(5_000) };
    sessions.put(
      'project/chats/session-2026-01-01T00-00-foreign0.jsonl',
      line(metadata) +
        line({ id: '1', timestamp: 't', type: 'user', content: 'hi' }) +
        line(big) +
        line({ $set: { lastUpdated: '2026-01-02T00:00:00.000Z' } }),
    );
    expect(listSessions(sessions.places)).toMatchObject([
      { id: 'foreign-1', messageCount: 2, firstUserMessage: 'hi', lastUpdated: '2026-01-02T00:00:00.000Z' },
    ]);
  });

  it('shows the newer of two files with one id', () => {
    record('abcdef11-1', 'older');
    record('abcdef11-1', 'newer');
    expect(listSessions(sessions.places).map(({ displayName }) => displayName)).toEqual(['newer']);
  });

  it('cuts long titles', () => {
    expect(titleOf({ displayName: 'x'.repeat(101) })).toBe(`${'x'.repeat(97)}...`);
    expect(titleOf({ displayName: 'x'.repeat(100) })).toHaveLength(100);
  });
});

describe('finding a session', () => {
  it('accepts latest, a number, an id and the beginning of an id', async () => {
    record('abcdef11-1', 'one');
    record('abcdef22-2', 'two');
    const ids = async (...wishes: string[]) =>
      Promise.all(wishes.map(async (wish) => (await selector().resolveSession(wish)).sessionData.sessionId));
    expect(await ids('latest', '', '1', '2', 'abcdef22-2', 'abcdef1')).toEqual([
      'abcdef22-2',
      'abcdef22-2',
      'abcdef11-1',
      'abcdef22-2',
      'abcdef22-2',
      'abcdef11-1',
    ]);
    const { displayInfo, sessionPath } = await selector().resolveSession('1');
    expect(displayInfo).toBe('Session 1: one (2 messages, 2 minutes ago)');
    expect(sessionPath).toContain('abcdef11');
  });

  it.each(['0', '3', 'abcdef', 'abcd', 'nonsense', '-1', '1x'])(
    'refuses "%s" with its code',
    async (wish) => {
      record('abcdef11-1', 'one');
      record('abcdef22-2', 'two');
      await expect(selector().findSession(wish)).rejects.toMatchObject({
        code: 'INVALID_SESSION_IDENTIFIER',
        message: expect.stringContaining(`Invalid session identifier "${wish}".`),
      });
    },
  );

  it('fails when there are no sessions', async () => {
    await expect(selector().resolveSession('latest')).rejects.toMatchObject({
      code: 'NO_SESSIONS_FOUND',
      message: 'No previous sessions found for this project.',
    });
  });
});

describe('a relative time', () => {
  it.each([
    [0, 'Just now'],
    [5_000, 'Just now'],
    [60_000, '1 minute ago'],
    [7_200_000, '2 hours ago'],
    [4 * 86_400_000, '4 days ago'],
    [61 * 86_400_000, '61 days ago'],
    [366 * 86_400_000, '366 days ago'],
    [-9_000, 'Just now'],
    [Number.NaN, 'Just now'],
  ])('is formatted for %i ms', (ms, words) => {
    expect(relativeTime(new Date(START).toISOString(), START + ms)).toBe(words);
  });
});

it('finds the sessions of a Config', async () => {
  const config = await createTestConfig({ sessions: {} });
  await sendPrompt(config, 'hello');
  const found = await new SessionSelector(config).resolveSession('latest');
  expect(found.sessionData).toMatchObject({ sessionId: config.getSessionId(), firstUserMessage: 'hello' });
  expect(await new SessionSelector(config).listSessions()).toMatchObject([
    { isCurrentSession: true, index: 1 },
  ]);
});
