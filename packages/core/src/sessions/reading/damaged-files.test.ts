/** Damaged, odd and very large session files. */
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionError } from '../session-error.js';
import { type TestSessions, testSessions } from '../sessions.test-helper.js';
import { toMessages } from './convert.js';
import { SessionFile } from './line-scanner.js';
import { readSession, SessionReader } from './read-session.js';
import { gemini, lines, METADATA, user } from './session-lines.test-helper.js';

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
