import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redactor } from '../../platform/redaction/redact.js';
import { toMessages } from '../reading/convert.js';
import { readSession } from '../reading/read-session.js';
import { linesOf, START, type TestSessions, testSessions } from '../sessions.test-helper.js';
import { ChatRecordingService } from './chat-recording-service.js';

const USAGE = { prompt: 10, candidates: 5, cached: 2, thoughts: 1, tool: 0, total: 16 };

describe('recording a session', () => {
  let sessions: TestSessions;
  beforeEach(() => {
    sessions = testSessions();
  });
  afterEach(() => sessions.cleanup());

  function fileOf(service: ChatRecordingService): string {
    return service.conversationFile ?? expect.fail('no file');
  }

  it('creates no file without a real message', () => {
    const service = sessions.service();
    service.recordUser('<session_context>\nDate: today', { origin: 'context' });
    service.recordUser('/help');
    service.recordNote('info', 'Welcome');
    service.close();
    expect(service.conversationFile).toBeNull();
    expect(existsSync(sessions.places.chatsDir)).toBe(false);
  });

  it('knows its file before it exists, however late the first message comes', () => {
    const service = sessions.service();
    const told = service.transcriptFile;
    expect(existsSync(told ?? '')).toBe(false);
    sessions.time.now += 3_600_000;
    service.recordUser([{ text: 'Add a login' }]);
    expect([told, service.transcriptFile]).toEqual([fileOf(service), fileOf(service)]);
    service.close();
  });

  it('has no file to tell when it was closed without one', () => {
    const service = sessions.service();
    service.close();
    expect(service.transcriptFile).toBeUndefined();
  });

  it('writes metadata, buffered notes, messages, and the state for the listing after each', () => {
    const service = sessions.service({ directories: ['/extra'] });
    service.recordNote('info', 'Welcome');
    service.recordUser([{ text: 'Add a login' }]);
    sessions.time.now += 1_000;
    service.recordAnswer({ parts: [{ text: 'Done.' }], model: 'm', tokens: USAGE });
    service.close();
    const [metadata, note, user, state, answer, end] = linesOf(fileOf(service));
    expect(fileOf(service)).toBe(join(sessions.places.chatsDir, 'session-2026-11-15T10-00-11111111.jsonl'));
    expect(metadata).toEqual({
      sessionId: '11111111-aaaa-4bbb-8ccc-000000000001',
      projectHash: 'hash-of-project',
      startTime: '2026-11-15T10:00:00.000Z',
      lastUpdated: '2026-11-15T10:00:00.000Z',
      kind: 'main',
      formatVersion: 1,
      directories: ['/extra'],
    });
    expect(note).toMatchObject({ type: 'info', content: 'Welcome' });
    expect(user).toMatchObject({ type: 'user', content: [{ text: 'Add a login' }] });
    expect(state).toEqual({
      $set: {
        lastUpdated: '2026-11-15T10:00:00.000Z',
        messageCount: 2,
        userMessageCount: 1,
        hasUserOrAssistantMessage: true,
        firstUserMessage: 'Add a login',
      },
    });
    expect(answer).toMatchObject({
      type: 'gemini',
      content: [{ text: 'Done.' }],
      model: 'm',
      tokens: { input: 10, output: 5, cached: 2, thoughts: 1, tool: 0, total: 16 },
    });
    expect(end).toMatchObject({ $set: { lastUpdated: '2026-11-15T10:00:01.000Z', messageCount: 3 } });
  });

  it('gives only the user access to file and folder', () => {
    const service = sessions.service();
    service.recordUser('hello');
    expect(statSync(fileOf(service)).mode & 0o777).toBe(0o600);
    expect(statSync(sessions.places.chatsDir).mode & 0o777).toBe(0o700);
    service.close();
  });

  it('writes a running call without result, and one record when it is done', () => {
    const service = sessions.service();
    service.recordUser('run it');
    service.recordAnswer({
      parts: [{ functionCall: { id: 'c1', name: 'run', args: { a: 1 } }, thoughtSignature: 'sig' }],
    });
    const during = readSession(fileOf(service));
    expect(during.messages[1]?.toolCalls).toMatchObject([
      { id: 'c1', status: 'scheduled', thoughtSignature: 'sig' },
    ]);
    const response = { functionResponse: { id: 'c1', name: 'run', response: { output: 'ok' } } };
    service.recordToolCalls([{ id: 'c1', status: 'success', result: [response], resultDisplay: 'ok' }]);
    const after = readSession(fileOf(service));
    expect(after.messageCount).toBe(2);
    expect(after.messages[1]?.toolCalls).toMatchObject([
      { status: 'success', result: [response], resultDisplay: 'ok' },
    ]);
    service.close();
  });

  it('does not rewrite large results again and again', () => {
    const service = sessions.service();
    service.recordUser('read all');
    const count = 40;
    const size = 30_000;
    const calls = Array.from({ length: count }, (_, n) => ({
      functionCall: { id: `c${n}`, name: 'read', args: {} },
    }));
    service.recordAnswer({ parts: calls });
    for (let n = 0; n < count; n++) {
      const output = 'x'.repeat(size);
      const result = [{ functionResponse: { id: `c${n}`, name: 'read', response: { output } } }];
      service.recordToolCalls([{ id: `c${n}`, status: 'success', result }]);
    }
    service.close();
    expect(statSync(fileOf(service)).size).toBeLessThan(count * size * 4);
    expect(readSession(fileOf(service)).messages[1]?.toolCalls?.every(({ result }) => result)).toBe(true);
  });

  it('masks secrets before they reach the disk, but not in thought signatures', () => {
    const redactor = new Redactor();
    redactor.addSecret('hunter2-very-secret-word');
    const signature = 'hunter2-very-secret-word';
    const service = sessions.service({ redact: (value) => redactor.redactValue(value) });
    service.recordUser('the password is hunter2-very-secret-word');
    service.recordAnswer({ parts: [{ text: 'hunter2-very-secret-word', thoughtSignature: signature }] });
    service.setMetadata({ summary: 'about hunter2-very-secret-word' });
    service.close();
    const text = readFileSync(fileOf(service), 'utf8');
    expect(text.match(/hunter2-very-secret-word/g)).toHaveLength(1);
    expect(text).toContain(`"thoughtSignature":"${signature}"`);
  });

  it('never goes back in time with the clock', () => {
    const service = sessions.service();
    service.recordUser('one');
    sessions.time.now = START - 3_600_000;
    service.recordUser('two');
    service.close();
    expect(readSession(fileOf(service)).lastUpdated).toBe('2026-11-15T10:00:00.000Z');
  });

  it('writes under a harmless name for any id', () => {
    const service = sessions.service({ sessionId: '../../etc/passwd' });
    service.recordUser('hello');
    service.close();
    expect(readdirSync(sessions.places.chatsDir)).toEqual(['session-2026-11-15T10-00-______et.jsonl']);
    expect(readSession(fileOf(service)).sessionId).toBe('../../etc/passwd');
  });

  it('stores sub-agent transcripts beside their session', () => {
    const service = sessions.service({ sessionId: 'agent-1', parentSessionId: 'parent-1' });
    service.recordUser('look');
    service.close();
    expect(fileOf(service)).toBe(join(sessions.places.chatsDir, 'parent-1/agent-1.jsonl'));
    expect(readSession(fileOf(service)).kind).toBe('subagent');
  });

  it('removes a message and all later ones', () => {
    const service = sessions.service();
    service.recordUser('first');
    service.recordAnswer({ parts: [{ text: 'answer' }] });
    const second = service.recordUser('second');
    service.recordAnswer({ parts: [{ text: 'wrong' }] });
    service.rewindTo(second);
    service.recordUser('better');
    service.close();
    const record = readSession(fileOf(service));
    expect(record.messages.map(({ content }) => content)).toEqual(['first', [{ text: 'answer' }], 'better']);
    expect(linesOf(fileOf(service)).at(-1)).toMatchObject({ $set: { messageCount: 3, userMessageCount: 2 } });
  });

  it('replaces the list after a compression and keeps the recorded details of kept messages', () => {
    const service = sessions.service();
    service.recordUser('old');
    const thoughts = [{ subject: 'Plan', description: 'think', timestamp: '2026-11-15T10:00:00.000Z' }];
    const kept = service.recordAnswer({ parts: [{ text: 'kept' }], thoughts, model: 'm' });
    service.replaceHistory([
      { id: 'summary', timestamp: 't', type: 'user', origin: 'summary', content: 'what happened' },
      { id: kept, timestamp: 't', type: 'gemini', content: [{ text: 'kept' }] },
    ]);
    service.close();
    const record = readSession(fileOf(service));
    expect(record.messages.map(({ id }) => id)).toEqual(['summary', kept]);
    expect(record.messages[1]).toMatchObject({ thoughts, model: 'm' });
    expect(record.firstUserMessage).toBe('old');
    expect(toMessages(record).map(({ origin }) => origin)).toEqual(['summary', 'model']);
    expect(readFileSync(fileOf(service), 'utf8')).toContain('"old"');
  });

  it('stops with one warning when nothing can be written, and the conversation continues', () => {
    sessions.put('project/chats', 'a file where the folder should be');
    const service = sessions.service();
    service.recordUser('one');
    service.recordAnswer({ parts: [{ text: 'two' }] });
    service.recordUser('three');
    service.close();
    expect(sessions.warnings).toHaveLength(1);
    expect(sessions.warnings[0]).toContain('no longer recorded');
    expect(service.isRecording).toBe(false);
  });
});

describe('a value that is not JSON', () => {
  it('ends the recording, not the conversation', () => {
    const sessions = testSessions();
    const service = sessions.service();
    service.recordUser('hello');
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    service.recordAnswer({ parts: [{ functionCall: { id: 'c', name: 'x', args: circle } }] });
    service.recordUser('more');
    service.close();
    expect(sessions.warnings).toHaveLength(1);
    expect(readSession(service.conversationFile ?? '').messageCount).toBe(1);
    sessions.cleanup();
  });
});

describe('resuming a session', () => {
  let sessions: TestSessions;
  beforeEach(() => {
    sessions = testSessions();
  });
  afterEach(() => sessions.cleanup());

  function recorded(): string {
    const service = sessions.service();
    service.recordUser('first');
    service.recordAnswer({ parts: [{ text: 'one' }] });
    service.close();
    return service.conversationFile ?? '';
  }

  it('appends to the same file', () => {
    const path = recorded();
    const service = ChatRecordingService.resume(path, sessions.options({ sessionId: 'other' }));
    expect(service.sessionId).toBe('11111111-aaaa-4bbb-8ccc-000000000001');
    service.recordUser('second');
    service.close();
    expect(service.conversationFile).toBe(path);
    expect(readSession(path)).toMatchObject({
      messageCount: 3,
      userMessageCount: 2,
      firstUserMessage: 'first',
    });
    expect(linesOf(path).at(-1)).toMatchObject({ $set: { messageCount: 3, firstUserMessage: 'first' } });
    expect(sessions.warnings).toEqual([]);
  });

  it('forks with a warning while another recorder writes', () => {
    const path = recorded();
    const live = ChatRecordingService.resume(path, sessions.options());
    const forks: string[] = [];
    const second = ChatRecordingService.resume(
      path,
      sessions.options({ onFork: (to, from) => forks.push(to, from) }),
    );
    live.recordUser('mine');
    second.recordUser('yours');
    live.close();
    second.close();
    expect(second.conversationFile).not.toBe(path);
    expect(forks).toEqual([second.sessionId, live.sessionId]);
    expect(sessions.warnings).toHaveLength(1);
    expect(readSession(path).messages.map(({ content }) => content)).toEqual([
      'first',
      [{ text: 'one' }],
      'mine',
    ]);
    const copy = readSession(second.conversationFile ?? '');
    expect(copy.sessionId).toBe(second.sessionId);
    expect(copy.messages.map(({ content }) => content)).toEqual(['first', [{ text: 'one' }], 'yours']);
  });

  it('uses another id when a new session takes the id of a live one', () => {
    const first = sessions.service();
    first.recordUser('mine');
    const second = sessions.service();
    second.recordUser('yours');
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(sessions.warnings).toHaveLength(1);
    first.close();
    second.close();
  });

  it.runIf(process.platform === 'linux')('takes over the lock of a process that has ended', () => {
    const path = recorded();
    const name = '.11111111-aaaa-4bbb-8ccc-000000000001.lock';
    const live = ChatRecordingService.resume(path, sessions.options());
    const owner = readFileSync(join(sessions.places.chatsDir, name), 'utf8');
    live.close();
    // The same process id, but another start time: the id was reused.
    const [pid, place] = owner.split(' ');
    sessions.put(`project/chats/${name}`, `${pid} ${place} 1 abcdef`);
    const service = ChatRecordingService.resume(path, sessions.options());
    expect(service.conversationFile).toBe(path);
    expect(sessions.warnings).toEqual([]);
    service.close();
    expect(existsSync(join(sessions.places.chatsDir, name))).toBe(false);
  });

  it('ends a line that was cut off before it appends', () => {
    const path = recorded();
    const whole = readFileSync(path, 'utf8');
    sessions.put(
      'project/chats/session-2026-11-15T10-00-11111111.jsonl',
      `${whole}{"id":"x","timestamp":"t","type":"user","cont`,
    );
    expect(readSession(path).problems).toEqual([expect.stringContaining('cut off')]);
    const service = ChatRecordingService.resume(path, sessions.options());
    service.recordUser('after');
    service.close();
    const record = readSession(path);
    expect(record.messages.map(({ content }) => content)).toEqual(['first', [{ text: 'one' }], 'after']);
    expect(record.problems).toEqual(['1 damaged line was skipped.']);
  });
});
