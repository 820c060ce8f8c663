import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionError } from '../session-error.js';
import { type TestSessions, testSessions } from '../sessions.test-helper.js';
import { convertSessionToHistoryFormats, restoredState, toMessages } from './convert.js';
import { SessionFile } from './line-scanner.js';
import { readSession, SessionReader } from './read-session.js';

const METADATA = {
  sessionId: 'aaaaaaaa-1111-4222-8333-444444444444',
  projectHash: 'h',
  startTime: '2026-01-01T10:00:00.000Z',
  lastUpdated: '2026-01-01T10:00:00.000Z',
  kind: 'main',
};

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const user = (id: string, content: unknown) => ({
  id,
  timestamp: '2026-01-01T10:00:00.000Z',
  type: 'user',
  content,
});
const gemini = (id: string, content: unknown, more = {}) => ({
  id,
  timestamp: '2026-01-01T10:00:01.000Z',
  type: 'gemini',
  content,
  ...more,
});

let sessions: TestSessions;
beforeEach(() => {
  sessions = testSessions();
});
afterEach(() => sessions.cleanup());

function read(content: string | Buffer, name = 'session-x.jsonl') {
  return readSession(sessions.put(`project/chats/${name}`, content));
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SessionError && error.code === 'UNREADABLE_SESSION') return error.message;
    throw error;
  }
  return expect.fail('it was read');
}

describe('files of Gemini CLI 0.61', () => {
  it('are read with separate lastUpdated lines, tool calls, thoughts, tokens, diffs and todos', () => {
    const diff = {
      fileDiff: '@@',
      fileName: 'a',
      filePath: '/a',
      originalContent: 'x',
      newContent: 'y',
      isNewFile: false,
    };
    const result = [{ functionResponse: { id: 'call-1', name: 'replace', response: { output: 'ok' } } }];
    const record = read(
      lines(
        METADATA,
        { $set: { messages: [user('ctx', [{ text: '<session_context>\nToday is…' }])] } },
        user('u1', [{ text: 'fix it' }]),
        { $set: { lastUpdated: '2026-01-01T10:00:02.000Z' } },
        gemini('g1', '', {
          thoughts: [{ subject: 'Plan', description: 'edit', timestamp: '2026-01-01T10:00:01.000Z' }],
          tokens: { input: 1, output: 2, cached: 0, total: 3 },
          model: 'gemini-2.5-pro',
        }),
        gemini('g1', '', {
          thoughts: [{ subject: 'Plan', description: 'edit', timestamp: '2026-01-01T10:00:01.000Z' }],
          tokens: { input: 1, output: 2, cached: 0, total: 3 },
          model: 'gemini-2.5-pro',
          toolCalls: [
            {
              id: 'call-1',
              name: 'replace',
              args: { p: 1 },
              status: 'success',
              timestamp: 't',
              result,
              resultDisplay: diff,
            },
          ],
        }),
        gemini('g2', 'All fixed.', {
          tokens: null,
          toolCalls: [
            {
              id: 'call-2',
              name: 'write_todos',
              args: {},
              status: 'success',
              timestamp: 't',
              result: null,
              resultDisplay: { todos: [{ description: 'a', status: 'pending' }] },
            },
          ],
        }),
        { $set: { lastUpdated: '2026-01-01T10:05:00.000Z', summary: 'Fix it' } },
      ),
    );
    expect(record).toMatchObject({
      sessionId: METADATA.sessionId,
      lastUpdated: '2026-01-01T10:05:00.000Z',
      summary: 'Fix it',
      messageCount: 3,
      userMessageCount: 1,
      firstUserMessage: 'fix it',
      hasUserOrAssistantMessage: true,
    });
    expect(record.problems).toBeUndefined();
    expect(restoredState(record)).toEqual({
      model: 'gemini-2.5-pro',
      todos: [{ description: 'a', status: 'pending' }],
      directories: [],
    });
    const { uiHistory, clientHistory } = convertSessionToHistoryFormats(record);
    expect(uiHistory.map(({ type }) => type)).toEqual([
      'user',
      'thinking',
      'tool_group',
      'gemini',
      'tool_group',
    ]);
    expect(clientHistory).toEqual([
      { role: 'user', parts: [{ text: 'fix it' }] },
      { role: 'model', parts: [{ functionCall: { id: 'call-1', name: 'replace', args: { p: 1 } } }] },
      { role: 'user', parts: result },
      {
        role: 'model',
        parts: [{ text: 'All fixed.' }, { functionCall: { id: 'call-2', name: 'write_todos', args: {} } }],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'call-2',
              name: 'write_todos',
              response: { error: expect.stringContaining('not recorded') },
            },
          },
        ],
      },
    ]);
  });
});

describe('a file of an older format', () => {
  const legacy = {
    sessionId: 'abc12345-1234-5678-9abc-def012345678',
    startTime: '2025-01-01T00:00:00.000Z',
    lastUpdated: '2025-01-01T01:00:00.000Z',
    summary: 'Implemented user authentication feature',
    messages: [
      { type: 'user', content: 'Help me add login' },
      {
        type: 'gemini',
        content: 'Sure',
        toolCalls: [
          { name: 'ls', args: {}, result: 'files' },
          { name: 'ls', args: {} },
        ],
      },
    ],
  };

  it.each([
    ['one line', JSON.stringify(legacy)],
    ['several lines', JSON.stringify(legacy, null, 2)],
  ])('is read when it is one JSON object in %s', (_form, text) => {
    const record = read(text, 'session-1736000000000-abc12345.json');
    expect(record).toMatchObject({
      sessionId: legacy.sessionId,
      summary: legacy.summary,
      messageCount: 2,
      userMessageCount: 1,
    });
    expect(record.messages[0]).toMatchObject({ timestamp: legacy.startTime, content: 'Help me add login' });
    expect(new Set(record.messages.map(({ id }) => id)).size).toBe(2);
    expect(toMessages(record)[2]?.parts).toMatchObject([
      { functionResponse: { id: 'ls_0', response: { output: 'files' } } },
      { functionResponse: { id: 'ls_1', response: { error: expect.stringContaining('interrupted') } } },
    ]);
  });

  it('is read without an id of its own', () => {
    const { sessionId: _none, ...nameless } = legacy;
    const record = read(JSON.stringify(nameless, null, 1), 'session-1-x.json');
    expect(record.sessionId).toBe('session-1-x');
    expect(record.messages).toHaveLength(2);
  });

  it('is read in the flat layout: lines with role and parts, metadata in a second file', () => {
    sessions.put(
      'project/chats/session-flat-1.json',
      JSON.stringify({ sessionId: 'flat-1', startTime: '2025-02-01T00:00:00.000Z', kind: 'cli' }),
    );
    const record = read(
      lines(
        { role: 'system', parts: [{ text: 'be nice' }] },
        { role: 'user', parts: [{ text: 'list' }] },
        {
          role: 'model',
          parts: [
            { text: 'I look.' },
            { functionCall: { name: 'ls', args: {} } },
            { functionCall: { id: 'b', name: 'cat', args: {} } },
          ],
        },
        { role: 'tool', parts: [{ functionResponse: { name: 'ls', response: { output: 'a b' } } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'b', name: 'cat', response: { output: 'c' } } }] },
        { role: 'model', parts: [{ text: 'a and b' }] },
      ),
      'conversation-flat-1.jsonl',
    );
    expect(record).toMatchObject({
      sessionId: 'flat-1',
      startTime: '2025-02-01T00:00:00.000Z',
      kind: 'main',
      firstUserMessage: 'list',
    });
    expect(record.messages.map(({ type }) => type)).toEqual(['info', 'user', 'gemini', 'gemini']);
    expect(toMessages(record).map(({ role, parts }) => [role, parts.length])).toEqual([
      ['user', 1],
      ['model', 3],
      ['user', 2],
      ['model', 1],
    ]);
    expect(toMessages(record)[2]?.parts).toMatchObject([
      { functionResponse: { id: 'ls_1', name: 'ls', response: { output: 'a b' } } },
      { functionResponse: { id: 'b', name: 'cat', response: { output: 'c' } } },
    ]);
  });

  it('is read with plain text as the result of a tool', () => {
    const record = read(
      lines(
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
        { role: 'tool', parts: ['a b'] },
      ),
      'conversation-flat-2.jsonl',
    );
    expect(record.messages[1]?.toolCalls?.[0]?.result).toMatchObject([
      { functionResponse: { name: 'ls', response: { output: 'a b' } } },
    ]);
  });
});

describe('a session reader', () => {
  it('replaces a record with the same id, drops rewound ones, and drops all at an unknown rewind', () => {
    const base = [METADATA, user('1', 'a'), gemini('2', 'b'), user('3', 'c'), gemini('2', 'b2')];
    const texts = (record: ReturnType<typeof read>) => record.messages.map(({ content }) => content);
    expect(texts(read(lines(...base)))).toEqual(['a', 'b2', 'c']);
    expect(texts(read(lines(...base, { $rewindTo: '2' }, user('4', 'd'))))).toEqual(['a', 'd']);
    expect(texts(read(lines(...base, { $rewindTo: 'none' }, user('4', 'd'))))).toEqual(['d']);
  });

  it('knows whether messages came after the scratchpad', () => {
    const pad = { $set: { memoryScratchpad: { version: 1, workflowSummary: 'w' } } };
    expect(read(lines(METADATA, user('1', 'a'))).memoryScratchpadIsStale).toBeUndefined();
    expect(read(lines(METADATA, user('1', 'a'), pad)).memoryScratchpadIsStale).toBe(false);
    expect(read(lines(METADATA, pad, user('1', 'a'))).memoryScratchpadIsStale).toBe(true);
    expect(read(lines({ ...METADATA, memoryScratchpad: 'notes' })).memoryScratchpad).toBe('notes');
  });

  it('keeps and reports what a newer version wrote', () => {
    const record = read(
      lines(
        { ...METADATA, formatVersion: 9 },
        user('1', 'a'),
        { $branch: 'x' },
        { ...user('2', 'see'), type: 'hologram' },
      ),
    );
    expect(record.unknownRecords).toEqual([{ $branch: 'x' }]);
    expect(record.problems).toEqual([
      'Written by a newer version (record format 9).',
      '1 record of unknown kind kept, but not shown.',
    ]);
    expect(convertSessionToHistoryFormats(record).uiHistory[1]).toMatchObject({
      type: 'info',
      text: expect.stringContaining('hologram'),
    });
    expect(toMessages(record)).toHaveLength(1);
  });

  it('reads metadata without bodies', () => {
    const path = sessions.put(
      'project/chats/session-m.jsonl',
      lines(METADATA, user('1', 'a'), gemini('2', 'b'.repeat(100_000))),
    );
    const record = readSession(path, { metadataOnly: true });
    expect(record).toMatchObject({ messages: [], messageCount: 2, firstUserMessage: 'a' });
    const file = SessionFile.open(path);
    new SessionReader(file).record({ metadataOnly: true });
    expect(file.bytesRead).toBeLessThan(1_000);
    file.close();
  });

  it('does not send again the context that each start adds', () => {
    const record = read(
      lines(
        METADATA,
        user('1', '/help'),
        user('2', '? what'),
        user('3', '<hook_context>x'),
        user('4', 'real'),
        { ...user('5', 'refused'), notSent: true },
      ),
    );
    expect(toMessages(record)).toEqual([{ role: 'user', origin: 'prompt', parts: [{ text: 'real' }] }]);
    expect(record.firstUserMessage).toBe('real');
  });

  it('tells the model that a call waiting for approval did not run', () => {
    const call = { id: 'c', name: 'rm', args: {}, status: 'awaiting_approval', timestamp: 't' };
    const record = read(lines(METADATA, user('1', 'a'), gemini('2', '', { toolCalls: [call] })));
    expect(JSON.stringify(toMessages(record)[2])).toContain('did not run');
  });
});

/** More than any record has. */
const HOLE = 200 * 1024 * 1024;

describe('reading a bad file', () => {
  it('fails with its name and the reason', () => {
    expect(refusal(() => read(''))).toContain('session-x.jsonl: it is empty');
    expect(refusal(() => read(Buffer.from([0, 1, 2, 255, 10, 254, 0])))).toContain('not a session file');
    expect(refusal(() => read('{"a":'))).toContain('no complete record');
    expect(refusal(() => read('{"a":1}'))).toContain('not a session file');
    expect(refusal(() => read('[]'))).toContain('not a session file');
    expect(refusal(() => readSession(join(sessions.base, 'none')))).toContain('none');
    expect(refusal(() => readSession(sessions.base))).toContain('directory');
  });

  it('returns the rest when lines are damaged', () => {
    const record = read(
      `${lines(METADATA)}garbage\n${lines(user('1', 'a'))}{"id":\n${lines(gemini('2', 'b'))}`,
    );
    expect(record.messageCount).toBe(2);
    expect(record.problems).toEqual(['2 damaged lines were skipped.']);
  });

  it('returns a valid conversation when fields have wrong types', () => {
    const odd = {
      id: 7,
      timestamp: {},
      type: 'gemini',
      content: 5,
      toolCalls: [null, 'x', { name: 3 }, { name: 'ls', args: 'no', result: 9, status: 'weird' }],
      thoughts: [1, {}],
    };
    const record = read(
      lines(METADATA, user('1', [null, 'text', { functionCall: 4 }]), odd, {
        $set: { messages: 'no', directories: [1] },
      }),
    );
    expect(record.directories).toBeUndefined();
    expect(toMessages(record)).toMatchObject([
      { parts: [{ text: 'text' }] },
      { parts: [{ functionCall: { id: 'ls_3', name: 'ls', args: {} } }] },
      { parts: [{ functionResponse: { id: 'ls_3' } }] },
    ]);
  });

  it('needs little memory for hundreds of megabytes', () => {
    const path = sessions.put('project/chats/session-big.jsonl', lines(METADATA, user('1', 'a')));
    const descriptor = openSync(path, 'r+');
    // A hole of zeroes: one endless line that is not a record, and a whole one after it.
    ftruncateSync(descriptor, HOLE);
    writeSync(descriptor, `\n${lines(gemini('2', 'b'))}`, HOLE);
    closeSync(descriptor);
    const record = readSession(path);
    expect(record.messages.map(({ content }) => content)).toEqual(['a', 'b']);
    expect(record.problems).toEqual(['1 damaged line was skipped.']);
  }, 60_000);
});

describe('a very long session', () => {
  const COUNT = 2_000;

  it('is resumed from its end by offsets, without parsing the rest', () => {
    const body = 'é漢 text '.repeat(600);
    const all = [JSON.stringify({ ...METADATA, formatVersion: 1 })];
    for (let n = 0; n < COUNT / 2; n++) {
      all.push(JSON.stringify(user(`u${n}`, [{ text: `prompt ${n} ${body}` }])));
      all.push(JSON.stringify(gemini(`g${n}`, [{ text: `answer ${n} ${body}` }])));
    }
    const path = sessions.put('project/chats/session-long.jsonl', `${all.join('\n')}\n`);
    all.length = 0;
    const file = SessionFile.open(path);
    const record = new SessionReader(file).record({ maxBytes: 1024 * 1024 });
    const messages = toMessages(record);
    file.close();
    expect(record.messageCount).toBe(COUNT);
    expect(record.omittedMessages).toBe(COUNT - record.messages.length);
    expect(record.messages[0]?.type).toBe('user');
    expect(messages[0]).toMatchObject({ origin: 'summary' });
    expect(messages.at(-1)?.parts[0]?.text).toContain(`answer ${COUNT / 2 - 1} `);
    expect(record.messages.length).toBeGreaterThan(50);
    expect(file.bytesRead).toBeLessThan(1.2 * 1024 * 1024);
  }, 60_000);
});
