import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageRecord } from '../protocol/session-record.js';
import { exportHistoryToFile, exportMarkdown } from './exports/export-markdown.js';
import { listSessions, type SessionInfo } from './finding/session-info.js';
import { convertSessionToHistoryFormats, toMessages } from './reading/convert.js';
import { readSession } from './reading/read-session.js';
import { ChatRecordingService } from './recording/chat-recording-service.js';
import {
  deleteSession,
  exportSession,
  forkSession,
  importSession,
  renameSession,
  saveSession,
} from './session-operations.js';
import { type TestSessions, testSessions } from './sessions.test-helper.js';

let sessions: TestSessions;
beforeEach(() => {
  sessions = testSessions();
});
afterEach(() => sessions.cleanup());

function recorded(sessionId: string, turns: readonly string[] = ['hello']): string {
  const service = sessions.service({ sessionId });
  for (const turn of turns) {
    service.recordUser(turn);
    service.recordAnswer({ parts: [{ text: `answer to ${turn}` }] });
  }
  service.close();
  return service.conversationFile ?? '';
}

function found(id: string): SessionInfo {
  return listSessions(sessions.places).find((session) => session.id === id) ?? expect.fail(`no ${id}`);
}

const texts = (messages: readonly MessageRecord[]) =>
  messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));

describe('deleting a session', () => {
  it('removes all its files and nothing else', () => {
    recorded('aaaaaaaa-1');
    recorded('bbbbbbbb-2');
    const belongings = (id: string) => [
      sessions.put(`project/chats/${id}/agent.jsonl`, 'x'),
      sessions.put(`project/tool-outputs/session-${id}/out.txt`, 'x'),
      sessions.put(`project/logs/session-${id}.jsonl`, 'x'),
      sessions.put(`project/${id}/plans/plan.md`, 'x'),
    ];
    const gone = belongings('aaaaaaaa-1');
    const kept = belongings('bbbbbbbb-2');
    deleteSession(found('aaaaaaaa-1'), sessions.places);
    expect(gone.filter((path) => existsSync(path))).toEqual([]);
    expect(kept.filter((path) => !existsSync(path))).toEqual([]);
    expect(listSessions(sessions.places).map(({ id }) => id)).toEqual(['bbbbbbbb-2']);
  });

  it.each(['chats', 'logs', 'tool-outputs', '.', '..', '../../x', 'a/b', ''])('refuses the id "%s"', (id) => {
    recorded('aaaaaaaa-1');
    sessions.put('project/keep', 'x');
    expect(() => deleteSession({ ...found('aaaaaaaa-1'), id }, sessions.places)).toThrow(
      /Nothing was deleted/,
    );
    expect(existsSync(found('aaaaaaaa-1').path)).toBe(true);
    expect(existsSync(join(sessions.base, 'project/keep'))).toBe(true);
  });

  it('keeps a file that has the same name as the id', () => {
    recorded('aaaaaaaa-1');
    const saved = sessions.put('project/checkpoint-tag.json', 'x');
    deleteSession({ ...found('aaaaaaaa-1'), id: 'checkpoint-tag.json' }, sessions.places);
    expect(existsSync(saved)).toBe(true);
  });

  it('refuses the current session, live ones and those in a read-only place', () => {
    const path = recorded('aaaaaaaa-1');
    expect(() => deleteSession({ ...found('aaaaaaaa-1'), isCurrentSession: true }, sessions.places)).toThrow(
      /current session/,
    );
    const live = ChatRecordingService.resume(path, sessions.options());
    expect(() => deleteSession(found('aaaaaaaa-1'), sessions.places)).toThrow(/another process/);
    live.close();
    sessions.put(
      'old/session-1-x.json',
      JSON.stringify({ sessionId: 'old-one', messages: [{ type: 'user', content: 'x' }] }),
    );
    expect(() => deleteSession(found('old-one'), sessions.places)).toThrow(/only read/);
  });
});

describe('renaming a session', () => {
  it('changes the list and lasts when the session is resumed', () => {
    const path = recorded('aaaaaaaa-1');
    renameSession(found('aaaaaaaa-1'), '  My\nname ', sessions.writing);
    expect(found('aaaaaaaa-1')).toMatchObject({
      summary: 'My name',
      displayName: 'My name',
      messageCount: 2,
    });
    const service = ChatRecordingService.resume(path, sessions.options());
    service.recordUser('more');
    service.close();
    expect(found('aaaaaaaa-1')).toMatchObject({ displayName: 'My name', messageCount: 3 });
  });

  it('is refused while a process records it, and without a name', () => {
    const path = recorded('aaaaaaaa-1');
    expect(() => renameSession(found('aaaaaaaa-1'), ' ', sessions.writing)).toThrow(/not empty/);
    const live = ChatRecordingService.resume(path, sessions.options());
    expect(() => renameSession(found('aaaaaaaa-1'), 'x', sessions.writing)).toThrow(/another process/);
    live.close();
  });
});

describe('forking a session', () => {
  it('copies it up to a turn under a new id and does not change the original', () => {
    const path = recorded('aaaaaaaa-1', ['one', 'two', 'three']);
    const before = readFileSync(path, 'utf8');
    sessions.time.now += 60_000;
    const fork = forkSession(path, sessions.writing, 2);
    expect(fork.sessionId).not.toBe('aaaaaaaa-1');
    expect(texts(readSession(fork.path).messages)).toEqual([
      'one',
      '[{"text":"answer to one"}]',
      'two',
      '[{"text":"answer to two"}]',
    ]);
    expect(found(fork.sessionId)).toMatchObject({
      messageCount: 4,
      userMessageCount: 2,
      firstUserMessage: 'one',
    });
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('accepts a message id or no turn at all, and reports an unknown turn', () => {
    const path = recorded('aaaaaaaa-1', ['one', 'two']);
    const second = readSession(path).messages[2]?.id ?? '';
    expect(readSession(forkSession(path, sessions.writing, second).path).messageCount).toBe(4);
    expect(readSession(forkSession(path, sessions.writing).path).messageCount).toBe(4);
    expect(() => forkSession(path, sessions.writing, 9)).toThrow('no turn 9; it has 2');
  });
});

describe('exporting and importing', () => {
  it('gives the same conversation under a new id', () => {
    const service = sessions.service();
    service.recordUser('go');
    service.recordAnswer({ parts: [{ functionCall: { id: 'c', name: 'ls', args: {} } }] });
    service.recordToolCalls([
      {
        id: 'c',
        status: 'success',
        result: [{ functionResponse: { id: 'c', name: 'ls', response: { output: 'a' } } }],
      },
    ]);
    service.recordNote('info', 'a note');
    service.close();
    const record = readSession(service.conversationFile ?? '');
    const file = sessions.put(
      'export.json',
      exportSession(record, (value) => value),
    );
    sessions.time.now += 3_600_000;
    const imported = importSession(file, sessions.writing);
    const copy = readSession(imported.path);
    expect(copy.sessionId).not.toBe(record.sessionId);
    expect(copy.startTime).toBe('2026-11-15T11:00:00.000Z');
    expect(copy.messages.map(({ type }) => type)).toEqual(['info', 'user', 'gemini']);
    expect(copy.messages[0]?.content).toBe(`Imported session from ${file}`);
    expect(toMessages(copy)).toEqual(toMessages(record));
  });

  it('refuses a bad file', () => {
    expect(() => importSession(sessions.put('bad.json', 'nonsense'), sessions.writing)).toThrow(/bad.json/);
    expect(() => importSession(join(sessions.base, 'none.json'), sessions.writing)).toThrow(/none.json/);
  });

  it('keeps an unreadable file of the same name', () => {
    const record = readSession(recorded('aaaaaaaa-1'));
    sessions.put('project/chats/session-2026-11-15T10-00-cccccccc.jsonl', 'garbage');
    saveSession({ ...record, sessionId: 'cccccccc-3' }, sessions.writing);
    expect(readdirSync(sessions.places.chatsDir)).toContain(
      `session-2026-11-15T10-00-cccccccc.jsonl.unreadable-${sessions.time.now}`,
    );
    expect(found('cccccccc-3').messageCount).toBe(2);
  });

  it('writes only Markdown and JSON', () => {
    const { clientHistory } = convertSessionToHistoryFormats([
      { id: '1', timestamp: 't', type: 'user', content: 'list ``` files' },
      {
        id: '2',
        timestamp: 't',
        type: 'gemini',
        content: 'Yes.',
        toolCalls: [
          {
            id: 'c',
            name: 'ls',
            args: { p: '```' },
            status: 'success',
            timestamp: 't',
            result: [{ text: 'a' }],
          },
        ],
      },
    ]);
    expect(exportMarkdown(clientHistory).split('\n\n---\n\n')).toEqual([
      '## USER 🧑‍💻\n\nlist ``` files',
      expect.stringMatching(
        /^## MODEL ✨\n\nYes\.\n\n\*\*Tool Command\*\*:\n\n````json\n[\s\S]*"name": "ls"[\s\S]*\n````$/,
      ),
      expect.stringMatching(/^## USER 🧑‍💻\n\n\*\*Tool Response\*\*:\n\n```json\n/),
    ]);
    const redact = <T>(value: T) => value;
    exportHistoryToFile({ history: clientHistory, filePath: join(sessions.base, 'out.json'), redact });
    expect(JSON.parse(readFileSync(join(sessions.base, 'out.json'), 'utf8'))).toEqual(clientHistory);
    expect(() => exportHistoryToFile({ history: [], filePath: 'x.txt', redact })).toThrow(
      /only .json and .md/,
    );
  });
});

describe('resuming an older file', () => {
  it('writes a new file beside it, keeps it, and lists one session', () => {
    const text = JSON.stringify(
      {
        sessionId: 'old-session',
        startTime: '2025-01-01T00:00:00.000Z',
        lastUpdated: '2025-01-01T00:00:00.000Z',
        messages: [{ type: 'user', content: 'old' }],
      },
      null,
      2,
    );
    const path = sessions.put('project/chats/session-1736000000000-old.json', text);
    const service = ChatRecordingService.resume(path, sessions.options());
    service.recordUser('new');
    service.close();
    expect(service.conversationFile).toBe(`${path}l`);
    expect(texts(readSession(`${path}l`).messages)).toEqual(['old', 'new']);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(listSessions(sessions.places)).toMatchObject([
      { id: 'old-session', fileName: 'session-1736000000000-old.jsonl', messageCount: 2 },
    ]);
    deleteSession(found('old-session'), sessions.places);
    expect(listSessions(sessions.places)).toEqual([]);
  });

  it('writes to our own directory when it is in a read-only place', () => {
    const path = sessions.put(
      'old/conversation-flat.jsonl',
      `${JSON.stringify({ role: 'user', parts: [{ text: 'old' }] })}\n`,
    );
    mkdirSync(sessions.places.chatsDir, { recursive: true });
    const service = ChatRecordingService.resume(path, sessions.options());
    service.recordUser('new');
    service.close();
    expect(service.conversationFile).toBe(join(sessions.places.chatsDir, 'session-flat.jsonl'));
    expect(listSessions(sessions.places)).toMatchObject([{ id: 'flat', messageCount: 2 }]);
    expect(sessions.warnings).toEqual([]);
  });
});
