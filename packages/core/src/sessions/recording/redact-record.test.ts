import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Redactor } from '../../platform/redaction/redact.js';
import type { Part } from '../../protocol/messages.js';
import type { ConversationRecord, MessageRecord } from '../../protocol/session-record.js';
import { exportHistoryToFile } from '../exports/export-markdown.js';
import { toMessages } from '../reading/convert.js';
import { exportSession } from '../session-operations.js';
import { type TestSessions, testSessions } from '../sessions.test-helper.js';
import { redactRecord } from './redact-record.js';

const SECRET = 'hunter2veryverysecretword99';
const DATA = `iVBORw0KGgo${SECRET}AAAA`;
const picture = (): Part => ({ inlineData: { mimeType: 'image/png', data: DATA } });

let sessions: TestSessions;
beforeEach(() => {
  sessions = testSessions();
});
afterEach(() => sessions.cleanup());

function redact<T>(value: T): T {
  const redactor = new Redactor();
  redactor.addSecret(SECRET);
  return redactor.redactValue(value);
}

/** A picture in every possible field, with the secret beside it. */
function recordWithPictures(): ConversationRecord {
  const functionResponse = { id: SECRET, name: 'read', response: { output: SECRET }, parts: [picture()] };
  const messages: MessageRecord[] = [
    {
      id: 'u1',
      timestamp: '2026-11-15T10:00:00.000Z',
      type: 'user',
      content: [{ text: `look, ${SECRET}` }, picture()],
      displayContent: [{ text: SECRET }, picture()],
    },
    { id: 'u2', timestamp: '2026-11-15T10:00:00.000Z', type: 'user', content: picture() },
    {
      id: 'g1',
      timestamp: '2026-11-15T10:00:01.000Z',
      type: 'gemini',
      content: [{ text: SECRET, thoughtSignature: SECRET }],
      toolCalls: [
        {
          id: SECRET,
          name: 'read',
          args: { path: SECRET },
          status: 'success',
          timestamp: '2026-11-15T10:00:01.000Z',
          result: [{ functionResponse }, { text: SECRET }, picture()],
        },
      ],
    },
  ];
  return {
    sessionId: 's1',
    projectHash: 'hash',
    startTime: '2026-11-15T10:00:00.000Z',
    lastUpdated: '2026-11-15T10:00:01.000Z',
    kind: 'main',
    summary: SECRET,
    messages,
    messageCount: 3,
    userMessageCount: 2,
    hasUserOrAssistantMessage: true,
  };
}

it('keeps pictures and thought signatures in a JSON export and masks everything else', () => {
  const { messages, summary } = JSON.parse(exportSession(recordWithPictures(), redact));
  expect(summary).not.toContain(SECRET);
  const [first, second, answer] = messages;
  expect(first.content).toEqual([{ text: expect.not.stringContaining(SECRET) }, picture()]);
  expect(first.displayContent[1]).toEqual(picture());
  expect(second.content).toEqual(picture());
  expect(answer.content[0].text).not.toContain(SECRET);
  expect(answer.content[0].thoughtSignature).toBe(SECRET);
  const [call] = answer.toolCalls;
  expect(call.id).toBe(SECRET);
  expect(call.args.path).not.toContain(SECRET);
  expect(call.result[0].functionResponse.response.output).not.toContain(SECRET);
  expect(call.result[0].functionResponse.parts).toEqual([picture()]);
  expect(call.result[1].text).not.toContain(SECRET);
  expect(call.result[2]).toEqual(picture());
});

it('keeps pictures in an exported history', () => {
  const filePath = join(sessions.base, 'out.json');
  exportHistoryToFile({ history: toMessages(recordWithPictures()), filePath, redact });
  const history = JSON.parse(readFileSync(filePath, 'utf8'));
  expect(history[0].parts).toEqual([{ text: expect.not.stringContaining(SECRET) }, picture()]);
});

it('masks secrets inside an attached text, which stays readable', () => {
  const data = Buffer.from(`key = ${SECRET}\nname = Zoë\n`).toString('base64');
  const content: Part[] = [{ text: SECRET }, { inlineData: { mimeType: 'text/plain', data } }];
  const record = redactRecord({ id: 'u', timestamp: 't', type: 'user', content }, redact);
  const clean = (record.content as Part[])[1]?.inlineData?.data ?? '';
  const text = Buffer.from(clean, 'base64').toString('utf8');
  expect(text).not.toContain(SECRET);
  expect(text).toContain('name = Zoë');
});

it('masks data that only claims to be Base64', () => {
  const content: Part[] = [{ inlineData: { mimeType: 'image/png', data: `the word is: ${SECRET}` } }];
  const record = redactRecord({ id: 'u', timestamp: 't', type: 'user', content }, redact);
  expect(JSON.stringify(record)).not.toContain(SECRET);
});
