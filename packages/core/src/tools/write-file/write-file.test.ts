import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { EOL } from 'node:os';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realPathOf } from '../../platform/files/real-path.js';
import {
  MessageBusType,
  PolicyDecision,
  ToolConfirmationOutcome,
  type UpdatePolicy,
} from '../../protocol/confirmation.js';
import { ToolErrorType } from '../tool-error.js';
import { WriteFileTool, type WriteFileToolParams } from './write-file.js';

describe('write_file', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const signal = new AbortController().signal;
  const at = (name: string) => join(dir.path, name);
  const textOf = (name: string) => readFileSync(at(name), 'utf8');
  const bus = makeBus(PolicyDecision.ASK_USER);
  const tool = () => new WriteFileTool(makeHost(dir.path), bus);
  const write = (params: WriteFileToolParams) => tool().build(params).execute(signal);

  async function ask(params: WriteFileToolParams) {
    const invocation = tool().build(params);
    const details = await invocation.shouldConfirmExecute(signal);
    if (details === false || details.type !== 'edit') throw new Error('Nothing was asked.');
    return { invocation, details };
  }

  it('creates a file with its folders', async () => {
    const result = await write({ file_path: 'a/b/new.txt', content: 'one\ntwo\n' });
    expect(textOf('a/b/new.txt')).toBe(`one${EOL}two${EOL}`);
    expect(result.llmContent).toBe(
      `Successfully created file: ${at('a/b/new.txt')}.\n\nContent:\none\ntwo\n`,
    );
    expect(result.returnDisplay).toEqual({
      fileName: 'new.txt',
      filePath: at('a/b/new.txt'),
      fileDiff: expect.stringContaining(
        '--- new.txt\tOriginal\n+++ new.txt\tWritten\n@@ -0,0 +1,2 @@\n+one\n+two\n',
      ),
      originalContent: null,
      newContent: 'one\ntwo\n',
      diffStat: expect.objectContaining({
        model_added_lines: 2,
        model_removed_lines: 0,
        user_added_lines: 0,
      }),
      isNewFile: true,
    });
  });

  it('replaces a file and shows the model the changed part', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
    writeFileSync(at('a'), lines);
    const content = lines.replace('line 10\n', 'ten\n');
    const result = await write({ file_path: 'a', content });
    expect(textOf('a')).toBe(content);
    expect(result.llmContent).toBe(
      `Successfully overwrote file: ${at('a')}.\n\nUpdated part:\n...\n${[5, 6, 7, 8, 9].map((n) => `line ${n}\n`).join('')}ten\n${[11, 12, 13, 14, 15].map((n) => `line ${n}\n`).join('')}...`,
    );
    expect(result.returnDisplay).toMatchObject({
      originalContent: lines,
      newContent: content,
      isNewFile: false,
    });
  });

  it('writes content byte for byte', async () => {
    const content = 'a\\nb \\" $& $1 \t\u2028 é\r x';
    await write({ file_path: 'raw', content });
    expect(textOf('raw')).toBe(content);
    await write({ file_path: 'empty', content: '' });
    expect(textOf('empty')).toBe('');
  });

  it.each([
    ['CRLF', 'a\r\nb\r\n', 'x\ny\nz\n', 'x\r\ny\r\nz\r\n'],
    ['LF, given CRLF', 'a\nb\n', 'x\r\ny\r\n', 'x\ny\n'],
    ['mixed, as far as lines stay', 'a\r\nb\nc\r\n', 'a\nb\nnew\n', 'a\r\nb\nnew\r\n'],
  ])('keeps the line ends of the file: %s', async (_name, before, content, after) => {
    writeFileSync(at('f'), before);
    await write({ file_path: 'f', content });
    expect(textOf('f')).toBe(after);
  });

  it.each([
    ['utf-8 with BOM', Buffer.from('\uFEFFalt\n'), Buffer.from('\uFEFFgrün\n')],
    ['utf-16le', utf16('alt\r\n'), utf16('grün\r\n')],
    ['utf-16be', utf16('alt\n').swap16(), utf16('grün\n').swap16()],
    ['windows-1252', Buffer.from('früher\n', 'latin1'), Buffer.from('grün\n', 'latin1')],
    ['gbk', iconv.encode('你好，世界\n', 'gbk'), iconv.encode('grün\n'.replace('ü', '中'), 'gbk')],
  ])('keeps the encoding of the file: %s', async (name, before, after) => {
    writeFileSync(at('f'), before);
    await write({ file_path: 'f', content: name === 'gbk' ? 'gr中n\n' : 'grün\n' });
    expect(readFileSync(at('f')).equals(after)).toBe(true);
  });

  it('does not change a file whose encoding lacks a character', async () => {
    writeFileSync(at('f'), Buffer.from('früher\n', 'latin1'));
    const result = await write({ file_path: 'f', content: '日本\n' });
    expect(result.error).toEqual({
      type: ToolErrorType.FILE_WRITE_FAILURE,
      message: expect.stringContaining('windows-1252, which lacks: 日 本'),
    });
    expect(readFileSync(at('f'), 'latin1')).toBe('früher\n');
  });

  it('keeps the mode of the file and a link to it', async () => {
    writeFileSync(at('script'), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync('script', at('link'));
    await write({ file_path: 'link', content: '#!/bin/bash\n' });
    expect(readlinkSync(at('link'))).toBe('script');
    expect(textOf('script')).toBe('#!/bin/bash\n');
    expect(statSync(at('script')).mode & 0o777).toBe(0o755);
  });

  it.each([
    '// rest of code ...',
    '(rest of methods ...)',
    '  // (unchanged code...)  ',
    'rest of...',
    'Unchanged methods ...',
  ])('refuses the placeholder %j', (line) => {
    expect(() => tool().build({ file_path: 'a', content: `x\n${line}\ny` })).toThrow('placeholder');
  });

  it('accepts lines that only mention such words', async () => {
    const content = 'the rest of code ... is here\n// rest of code\nconst x = "unchanged code...";\n';
    await write({ file_path: 'a', content });
    expect(textOf('a')).toBe(content);
  });

  it('refuses folders, empty paths and paths out of the workspace', () => {
    mkdirSync(at('folder'));
    symlinkSync('/etc', at('etc'));
    symlinkSync('/nowhere/new', at('dangling'));
    const build = (file_path: string) => () => tool().build({ file_path, content: '' });
    expect(build('')).toThrow("The 'file_path' parameter must be non-empty.");
    expect(build('folder')).toThrow(`Path is a directory, not a file: ${at('folder')}`);
    for (const path of ['../x', '/etc/x', 'etc/x', 'dangling', '~/x', 'folder/../../x']) {
      expect(build(path), path).toThrow('Path not in workspace');
    }
  });

  it('writes nothing when the folder becomes a link out of the workspace after the check', async () => {
    const outside = tempDir();
    mkdirSync(at('folder'));
    const invocation = tool().build({ file_path: 'folder/file', content: 'x' });
    rmdirSync(at('folder'));
    symlinkSync(outside.path, at('folder'));
    const result = await invocation.execute(signal);
    expect(result.error?.type).toBe(ToolErrorType.PATH_NOT_IN_WORKSPACE);
    expect(readdirSync(outside.path)).toEqual([]);
    outside.cleanup();
  });

  it('reports missing permission', async () => {
    writeFileSync(at('closed'), 'old', { mode: 0o444 });
    chmodSync(dir.path, 0o755);
    const invocation = tool().build({ file_path: 'closed', content: 'new' });
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      expect((await invocation.execute(signal)).error?.type).toBe(ToolErrorType.PERMISSION_DENIED);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(textOf('closed')).toBe('old');
  });

  describe('when the user is asked', () => {
    it('shows the difference from the current content', async () => {
      writeFileSync(at('a.txt'), 'old\r\nsame\r\n');
      const { details } = await ask({ file_path: 'a.txt', content: 'new\nsame\n' });
      expect(details).toEqual({
        type: 'edit',
        title: 'Confirm Write: a.txt',
        fileName: 'a.txt',
        filePath: at('a.txt'),
        fileDiff: expect.stringContaining(
          '--- a.txt\tCurrent\n+++ a.txt\tProposed\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n',
        ),
        originalContent: 'old\nsame\n',
        newContent: 'new\nsame\n',
        diffStat: expect.any(Object),
        always: { path: realPathOf(at('a.txt')) },
        onConfirm: expect.any(Function),
      });
      expect(textOf('a.txt')).toBe('old\r\nsame\r\n');
    });

    it('writes the proposal as the user edited it, and tells the model', async () => {
      writeFileSync(at('a'), 'old\n');
      const { invocation, details } = await ask({ file_path: 'a', content: 'model\n' });
      await details.onConfirm(ToolConfirmationOutcome.ProceedOnce, { newContent: 'user\n' });
      const result = await invocation.execute(signal);
      expect(textOf('a')).toBe('user\n');
      expect(result.llmContent).toContain(
        'The user changed the proposed content. The file now contains:\nuser\n',
      );
      expect(result.returnDisplay).toMatchObject({
        newContent: 'user\n',
        diffStat: { model_added_lines: 1, user_added_lines: 1, user_removed_lines: 1 },
      });
    });

    it('overwrites nothing that the user did not see', async () => {
      writeFileSync(at('a'), 'old\n');
      const { invocation, details } = await ask({ file_path: 'a', content: 'model\n' });
      await details.onConfirm(ToolConfirmationOutcome.ProceedOnce);
      writeFileSync(at('a'), 'precious\n');
      const result = await invocation.execute(signal);
      expect(result.error?.message).toContain('changed after the user was asked');
      expect(textOf('a')).toBe('precious\n');
    });

    it('asks nothing about a write that cannot succeed', async () => {
      writeFileSync(at('binary'), 'a\0b');
      const invocation = tool().build({ file_path: 'binary', content: 'x' });
      expect(await invocation.shouldConfirmExecute(signal)).toBe(false);
    });

    it('narrows an "always" to the path', async () => {
      const updates: UpdatePolicy[] = [];
      const unsubscribe = bus.subscribe(MessageBusType.UPDATE_POLICY, (message) => updates.push(message));
      const { details } = await ask({ file_path: 'a (1).txt', content: 'x' });
      await details.onConfirm(ToolConfirmationOutcome.ProceedAlways);
      unsubscribe();
      const [update] = updates;
      expect(update).toMatchObject({ toolName: 'write_file', persist: false });
      expect(update).toMatchObject({ path: realPathOf(at('a (1).txt')) });
    });
  });

  it('reports a proposal that was edited before', async () => {
    const params = {
      file_path: 'a',
      content: 'user\n',
      modified_by_user: true,
      ai_proposed_content: 'model\n',
    };
    const result = await write(params);
    expect(textOf('a')).toBe('user\n');
    expect(result.llmContent).toBe(
      `Successfully created file: ${at('a')}.\n\nThe user changed the proposed content. The file now contains:\nuser\n`,
    );
    expect(result.returnDisplay).toMatchObject({ diffStat: { model_added_lines: 1, user_added_lines: 1 } });
  });

  it('does not declare its internal parameters', () => {
    expect(Object.keys(tool().schema.parametersJsonSchema.properties ?? {})).toEqual([
      'file_path',
      'content',
    ]);
  });
});

function utf16(text: string): Buffer {
  return Buffer.from(`\uFEFF${text}`, 'utf16le');
}
