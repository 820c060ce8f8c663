import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Content } from '../../protocol/messages.js';
import { listSessions } from '../finding/session-info.js';
import { toMessages } from '../reading/convert.js';
import { readSession } from '../reading/read-session.js';
import { importSession } from '../session-operations.js';
import { type TestSessions, testSessions } from '../sessions.test-helper.js';
import { writeBugReport } from './bug-report.js';

const HISTORY: Content[] = [
  { role: 'user', parts: [{ text: 'Read a.txt with hunter2' }] },
  { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'read_file', args: { file_path: 'a.txt' } } }] },
  {
    role: 'user',
    parts: [{ functionResponse: { id: 'c1', name: 'read_file', response: { output: 'one' } } }],
  },
  { role: 'model', parts: [{ text: 'It says one.' }] },
];

let sessions: TestSessions;
beforeEach(() => {
  sessions = testSessions();
});
afterEach(() => sessions.cleanup());

const report = (directory: string) =>
  writeBugReport({
    directory,
    history: HISTORY,
    now: () => 1_790_000_000_000,
    redact: (value) => JSON.parse(JSON.stringify(value).replaceAll('hunter2', '[secret]')),
  });

it('writes a bug report without secrets, named by its time', () => {
  const path = report(join(sessions.base, 'project'));
  expect(path).toMatch(/project\/bug-report-history-1790000000000\.json$/);
  expect(readFileSync(path, 'utf8')).not.toContain('hunter2');
});

it('lists, reads and resumes a bug report in the flat layout', () => {
  const path = report(sessions.places.readOnlyDirs[0] ?? '');
  expect(listSessions(sessions.places)).toMatchObject([
    { id: 'bug-report-history-1790000000000', startTime: new Date(1_790_000_000_000).toISOString() },
  ]);
  const record = readSession(path);
  expect(record.messages.map(({ type }) => type)).toEqual(['user', 'gemini', 'gemini']);
  expect(record.messages[1]?.toolCalls?.[0]).toMatchObject({ id: 'c1', name: 'read_file' });
  expect(JSON.stringify(toMessages(record))).toContain('"output":"one"');
  const imported = importSession(path, sessions.writing);
  expect(readSession(imported.path).userMessageCount).toBe(1);
});

it.each([
  ['a bare history', JSON.stringify(HISTORY)],
  ['a saved one', JSON.stringify({ history: HISTORY, authType: 'gemini-api-key' }, null, 2)],
])('imports %s', (_, text) => {
  const path = sessions.put('shared.json', text);
  expect(readSession(path).messages).toHaveLength(3);
});

it.each(['[]', '[1,2,3]', '[[[]]]', '{"history":{}}'])('refuses %s, which is not a session', (text) => {
  const path = sessions.put('shared.json', text);
  expect(() => readSession(path)).toThrow(/Cannot read the session file .*shared\.json: it/);
});
