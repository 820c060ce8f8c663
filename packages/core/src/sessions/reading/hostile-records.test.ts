/** Records with a wrong value in every field: readers still get what the types promise. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ToolResultDisplay } from '../../protocol/tool-display.js';
import { editsIn } from '../checkpoints/stored-diffs.js';
import { exportMarkdown } from '../exports/export-markdown.js';
import { exportSessionHtml } from '../exports/html/export-html.js';
import { exportSession } from '../session-operations.js';
import { convertSessionToHistoryFormats, restoredState, toMessages } from './convert.js';
import { readSession } from './read-session.js';

const WRONG: readonly unknown[] = [
  null,
  5,
  true,
  'text',
  [],
  [null],
  [[null]],
  {},
  { text: 5 },
  { toString: 1 },
];

function recordWith(lines: readonly object[]) {
  const directory = mkdtempSync(join(tmpdir(), 'hostile-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'session-2026-01-01T00-00-aaaaaaaa.jsonl');
  const metadata = { sessionId: 'aaaaaaaa-1', projectHash: 'x', startTime: '2026-01-01T00:00:00Z' };
  writeFileSync(path, [metadata, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return readSession(path);
}

const call = (fields: object) => ({
  id: 'g',
  type: 'gemini',
  content: 'x',
  toolCalls: [{ id: 'c', name: 'edit', status: 'success', ...fields }],
});

const CALL_FIELDS = `id args result status timestamp agentId displayName description resultDisplay
  renderOutputAsMarkdown thoughtSignature partIndex`.split(/\s+/);
const MESSAGE_FIELDS =
  `id timestamp type content displayContent toolCalls thoughts tokens model origin notSent`.split(/\s+/);

it.each([...CALL_FIELDS, ...MESSAGE_FIELDS])('reads a record with a wrong value in %s', async (field) => {
  const isOfCall = CALL_FIELDS.includes(field) && !MESSAGE_FIELDS.includes(field);
  const base = [{ id: 'u', type: 'user', content: 'hello' }, call({})];
  const lines = WRONG.flatMap((value) => {
    if (isOfCall) return [...base, call({ [field]: value })];
    return [...base.map((line) => ({ ...line, [field]: value })), ...base];
  });
  const record = recordWith(lines);
  const redact = <T>(value: T) => value;
  const use = async () => {
    convertSessionToHistoryFormats(record);
    toMessages(record);
    restoredState(record);
    editsIn(record.messages);
    exportSession(record, redact);
    exportMarkdown(toMessages(record), redact);
    return [...(await exportSessionHtml(record, { redact }))].join('');
  };
  expect(await use()).toContain('</html>');
  for (const item of convertSessionToHistoryFormats(record).uiHistory) {
    if (item.type === 'tool_group') {
      for (const { callId, name, description, status } of item.tools)
        expect([callId, name, description, status].map((text) => typeof text)).toEqual(
          Array(4).fill('string'),
        );
    } else if (item.type !== 'thinking') expect(typeof item.text).toBe('string');
  }
});

it('drops a display that cannot be drawn', () => {
  const good: ToolResultDisplay[] = [
    'text',
    { todos: [{ description: 'a', status: 'pending' }] },
    { fileDiff: '', fileName: 'a', filePath: '/a', originalContent: null, newContent: '' },
    { summary: '1 file', files: ['a'] },
    { summary: '1 match', matches: [{ filePath: 'a', lineNumber: 1, line: 'x' }] },
    { isSubagentProgress: true, agentName: 'a', recentActivity: [{ type: 'thought', content: 'x' }] },
    [
      [
        {
          text: 'x',
          bold: false,
          italic: false,
          underline: false,
          dim: false,
          inverse: false,
          fg: '',
          bg: '',
        },
      ],
    ],
  ];
  const bad = [
    ...WRONG.filter((value) => typeof value !== 'string' && !(Array.isArray(value) && value.length === 0)),
    { todos: [null] },
    { todos: [{ description: 5, status: 'pending' }] },
    { fileDiff: 5, fileName: 'a', filePath: '/a', newContent: '' },
    { summary: 'x', files: [5] },
    { summary: 'x', matches: [null] },
    { isSubagentProgress: true, agentName: 'a', recentActivity: 'x' },
    [[{ text: 5 }]],
  ];
  const displayOf = (resultDisplay: unknown) => {
    const { messages } = recordWith([call({ resultDisplay })]);
    return messages[0]?.toolCalls?.[0]?.resultDisplay;
  };
  expect(good.map(displayOf)).toEqual(good);
  expect(displayOf({ fileDiff: 'x', filePath: '/p/a.ts', diffStat: { model_added_lines: 1 } })).toEqual({
    fileDiff: 'x',
    filePath: '/p/a.ts',
    fileName: 'a.ts',
  });
  expect(bad.map(displayOf)).toEqual(bad.map(() => undefined));
});
