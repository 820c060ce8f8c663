/** The scratchpad: its content, when it is written, and when it is stale. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, createTestConfig, sendPrompt, startModelServer, text } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MessageRecord, ToolCallRecord } from '../../protocol/session-record.js';
import { listSessions } from '../finding/session-info.js';
import { readSession } from '../reading/read-session.js';
import { currentScratchpad, scratchpadOf } from './scratchpad.js';

const TIME = '2026-11-15T10:00:00.000Z';

function call(name: string, args: Record<string, unknown>, output = '', status = 'success'): ToolCallRecord {
  const result = [{ functionResponse: { name, response: { output } } }];
  return {
    id: `${name}-${JSON.stringify(args)}`,
    name,
    args,
    status: status as 'success',
    timestamp: TIME,
    result,
  };
}

function conversation(prompt: string, ...toolCalls: ToolCallRecord[]): MessageRecord[] {
  return [
    { id: 'c', timestamp: TIME, type: 'user', content: '<session_context>x', origin: 'context' },
    { id: 'u', timestamp: TIME, type: 'user', content: prompt },
    { id: 'a', timestamp: TIME, type: 'gemini', content: 'ok', toolCalls },
  ];
}

const shell = (command: string, output = '', status?: string) =>
  call('run_shell_command', { command }, output, status);

describe('the scratchpad of a session', () => {
  it('lists the tools, the files, and the result of the last check', () => {
    const pad = scratchpadOf(
      conversation(
        'Fix the\n login',
        call('read_file', { file_path: 'a.ts' }),
        call('read_file', { file_path: 'b.ts' }),
        call('replace', { file_path: 'a.ts' }),
        shell('npm test', 'Output: bad\nExit Code: 1\n'),
        shell('npm test -- a', 'Output: fine\n'),
        shell('ls', 'Exit Code: 2\n'),
      ),
    );
    expect(pad).toEqual({
      version: 1,
      workflowSummary: 'Fix the login | read_file, replace, run_shell_command | 2 files | checks: passed',
      toolSequence: ['read_file', 'replace', 'run_shell_command'],
      touchedPaths: ['b.ts', 'a.ts'],
      validationStatus: 'passed',
    });
  });

  it.each([
    ['failed', shell('make check', 'Output: x\nExit Code: 2\n')],
    ['failed', shell('cargo test', 'boom', 'error')],
    ['passed', shell('pytest -q', 'Exit Code: 0\n')],
    ['unknown', shell('npm test', '', 'cancelled')],
    ['unknown', shell('ls')],
  ])('recognises a check that %s: %#', (status, made) => {
    expect(scratchpadOf(conversation('x', made))?.validationStatus).toBe(status);
  });

  it('is undefined without a tool call', () => {
    expect(scratchpadOf(conversation('hello'))).toBeUndefined();
  });

  it('is limited in size', () => {
    const calls = Array.from({ length: 1000 }, (_, n) =>
      call(n % 2 ? 'read_file' : 'replace', { file_path: `${n}.ts` }),
    );
    const pad = scratchpadOf(conversation('x'.repeat(1000), ...calls));
    expect(pad?.toolSequence).toHaveLength(100);
    expect(pad?.touchedPaths).toHaveLength(50);
    expect(pad?.touchedPaths?.at(-1)).toBe('999.ts');
    expect(JSON.stringify(pad).length).toBeLessThan(5000);
  });

  it('is rebuilt when messages came after it', () => {
    const messages = conversation('Fix', call('glob', {}));
    const old = { version: 1 as const, workflowSummary: 'old' };
    const current = (memoryScratchpadIsStale: boolean | undefined) =>
      currentScratchpad({ memoryScratchpad: old, memoryScratchpadIsStale, messages });
    expect(current(false)).toBe(old);
    expect(current(true)).toMatchObject({ toolSequence: ['glob'] });
    expect(
      currentScratchpad({ memoryScratchpad: 'notes', memoryScratchpadIsStale: true, messages: [] }),
    ).toBe('notes');
  });
});

describe('a recorded session', () => {
  it('gets its scratchpad at the end, without secrets, and continues it after a resume', async () => {
    const model = await startModelServer();
    onTestFinished(() => model.close());
    const config = await createTestConfig({ sessions: {} }, { model });
    const places = { chatsDir: config.storage.getChatsDir(), readOnlyDirs: [], projectTempDir: '' };
    const secret = `sk-proj-${'a1B2c3D4e5'.repeat(5)}`;
    model.replies([callTool('list_directory', { dir_path: '.' })], [text('done')]);
    await sendPrompt(config, `Look around with ${secret}`);
    const [name = ''] = readdirSync(places.chatsDir).filter((file) => file.startsWith('session-'));
    const path = join(places.chatsDir, name);
    expect(readSession(path).memoryScratchpad).toBeUndefined();
    await config.shutdown();
    const record = readSession(path);
    expect(record.memoryScratchpad).toMatchObject({ version: 1, toolSequence: ['list_directory'] });
    expect(record.memoryScratchpadIsStale).toBe(false);
    expect(JSON.stringify(record.memoryScratchpad)).not.toContain('a1B2c3D4e5a1B2');
    // The listing still needs the end of the file only.
    expect(listSessions(places)).toMatchObject([
      { userMessageCount: 1, firstUserMessage: expect.stringContaining('Look around') },
    ]);

    const { sessionId } = record;
    const targetDir = config.getTargetDir();
    const resumed = await createTestConfig({ sessions: { resume: path }, sessionId, targetDir }, { model });
    model.replies([callTool('glob', { pattern: '*' })], [text('done')]);
    await sendPrompt(resumed, 'And again');
    const copy = resumed.getChatRecordingService()?.conversationFile ?? '';
    expect(readSession(copy).memoryScratchpadIsStale).toBe(true);
    await resumed.shutdown();
    const later = readSession(copy);
    expect(later.memoryScratchpad).toMatchObject({ toolSequence: ['list_directory', 'glob'] });
    expect(later.memoryScratchpadIsStale).toBe(false);
  });
});
