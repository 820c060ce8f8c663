import { chmodSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolErrorType } from '../tool-error.js';
import { ReadFileTool, type ReadFileToolParams } from './read-file.js';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('read_file', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const at = (name: string) => join(dir.path, name);
  const tool = () => new ReadFileTool(makeHost(dir.path), makeBus());
  const read = (params: ReadFileToolParams) => tool().build(params).execute(new AbortController().signal);

  it('returns a whole file verbatim and shows nothing to the user', async () => {
    writeFileSync(at('a [1].txt'), 'one\r\ntwo\n\nlast');
    expect(await read({ file_path: 'a [1].txt' })).toEqual({
      llmContent: 'one\r\ntwo\n\nlast',
      returnDisplay: '',
    });
    writeFileSync(at('empty'), '');
    expect(await read({ file_path: at('empty') })).toEqual({ llmContent: '', returnDisplay: '' });
  });

  it.each([
    ['UTF-8 with BOM', Buffer.from('\uFEFFgrün\n')],
    ['UTF-16LE', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grün\n', 'utf16le')])],
    ['UTF-16BE', Buffer.concat([Buffer.from([0xfe, 0xff]), iconv.encode('grün\n', 'utf-16be')])],
    ['Latin-1', Buffer.from('grün\n', 'latin1')],
  ])('reads %s', async (_name, bytes) => {
    writeFileSync(at('text'), bytes);
    expect((await read({ file_path: 'text' })).llmContent).toBe('grün\n');
  });

  it('reads a range of lines', async () => {
    writeFileSync(at('a'), numbered(10));
    expect(await read({ file_path: 'a', start_line: 3, end_line: 4 })).toEqual({
      llmContent: [
        'IMPORTANT: The file content has been truncated.',
        'Status: Showing lines 3-4 of 10 total lines.',
        'Action: To read more, call read_file with start_line: 5.',
        '',
        '--- FILE CONTENT (truncated) ---',
        'line 3',
        'line 4',
      ].join('\n'),
      returnDisplay: 'Read lines 3-4 of 10 from a',
    });
    expect((await read({ file_path: 'a', start_line: 9 })).llmContent).toContain(
      'of 10 total lines.\nAction: This is',
    );
    expect((await read({ file_path: 'a', start_line: 1, end_line: 10 })).llmContent).toBe(numbered(10));
  });

  it('accepts offset and limit; start_line and end_line win', async () => {
    writeFileSync(at('a'), numbered(10));
    const lines = async (params: Omit<ReadFileToolParams, 'file_path'>) =>
      String((await read({ file_path: 'a', ...params })).llmContent).match(/^line \d+$/gm);
    expect(await lines({ offset: 2, limit: 2 })).toEqual(['line 3', 'line 4']);
    expect(await lines({ offset: 8 })).toEqual(['line 9', 'line 10']);
    expect(await lines({ limit: 1 })).toEqual(['line 1']);
    expect(await lines({ offset: 0, limit: 10 })).toHaveLength(10);
    expect(await lines({ start_line: 5, end_line: 5, offset: -1, limit: 3 })).toEqual(['line 5']);
    expect(tool().build({ file_path: 'a', offset: 2, limit: 2 }).params).toEqual({
      file_path: 'a',
      start_line: 3,
      end_line: 4,
    });
  });

  it('stops after 2000 lines unless told where to end', async () => {
    writeFileSync(at('long'), numbered(2500));
    const first = String((await read({ file_path: 'long' })).llmContent);
    expect(first).toContain('Status: Showing lines 1-2000 of 2500 total lines.');
    expect(first).toContain('start_line: 2001');
    expect(first.endsWith('\nline 2000')).toBe(true);
    const rest = String((await read({ file_path: 'long', start_line: 2001 })).llmContent);
    expect(rest).toContain('Status: Showing lines 2001-2500 of 2500 total lines.');
    const all = String((await read({ file_path: 'long', end_line: 2400 })).llmContent);
    expect(all).toContain('Status: Showing lines 1-2400 of 2500 total lines.');
  });

  it('cuts long lines, not through a character', async () => {
    writeFileSync(at('wide'), `short\n${'a'.repeat(1999)}😀${'b'.repeat(100)}\n${'c'.repeat(2000)}\n`);
    const result = await read({ file_path: 'wide' });
    expect(String(result.llmContent).split('\n').slice(1)).toEqual([
      'Status: Showing lines 1-3 of 3 total lines.',
      'Action: Lines over 2000 characters were cut; search them with grep_search.',
      '',
      '--- FILE CONTENT (truncated) ---',
      'short',
      `${'a'.repeat(1999)}... [truncated]`,
      'c'.repeat(2000),
      '',
    ]);
    expect(result.returnDisplay).toBe('Read lines 1-3 of 3 from wide (some lines were shortened)');
  });

  it('says how many lines there are when the range is beyond them', async () => {
    writeFileSync(at('a'), 'x\ny\n');
    expect((await read({ file_path: 'a', start_line: 5 })).error).toEqual({
      message: 'start_line 5 is past the end of a, which has 2 lines.',
      type: ToolErrorType.INVALID_TOOL_PARAMS,
    });
  });

  it('returns images, PDF, audio and video as data', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
    const expected: [string, string, string][] = [
      ['a.PNG', 'image/png', 'Read image file: a.PNG'],
      ['a.pdf', 'application/pdf', 'Read pdf file: a.pdf'],
      ['a.mp3', 'audio/mpeg', 'Read audio file: a.mp3'],
      ['a.mp4', 'video/mp4', 'Read video file: a.mp4'],
    ];
    for (const [name, mimeType, returnDisplay] of expected) {
      writeFileSync(at(name), bytes);
      expect(await read({ file_path: name })).toEqual({
        llmContent: { inlineData: { mimeType, data: bytes.toString('base64') } },
        returnDisplay,
      });
    }
    writeFileSync(at('a.wma'), bytes);
    expect((await read({ file_path: 'a.wma' })).error?.type).toBe(ToolErrorType.READ_CONTENT_FAILURE);
    writeFileSync(at('none.png'), '');
    expect((await read({ file_path: 'none.png' })).error?.type).toBe(ToolErrorType.READ_CONTENT_FAILURE);
  });

  it('treats TypeScript and text with a media suffix as text', async () => {
    for (const name of ['a.ts', 'a.mts', 'subtitles.mp4', 'notes.mid']) {
      writeFileSync(at(name), 'text\n');
      expect((await read({ file_path: name })).llmContent).toBe('text\n');
    }
  });

  it('returns SVG as text up to 1 MB', async () => {
    writeFileSync(at('a.svg'), '<svg/>');
    expect(await read({ file_path: 'a.svg' })).toEqual({
      llmContent: '<svg/>',
      returnDisplay: 'Read SVG as text: a.svg',
    });
    writeFileSync(at('big.svg'), 'x'.repeat(1024 * 1024 + 1));
    expect((await read({ file_path: 'big.svg' })).error?.type).toBe(ToolErrorType.FILE_TOO_LARGE);
  });

  it('does not show binary files', async () => {
    mkdirSync(at('sub'));
    for (const [name, content] of [
      ['sub/data', 'a\0b'],
      ['sub/x.zip', 'text really'],
      ['sub/lib.wasm', ''],
    ] as const) {
      writeFileSync(at(name), content);
      const message = `Cannot display content of binary file: ${name}`;
      expect(await read({ file_path: name })).toEqual({
        llmContent: message,
        returnDisplay: message,
        error: { message, type: ToolErrorType.READ_CONTENT_FAILURE },
      });
    }
  });

  it('reports missing permission', async () => {
    writeFileSync(at('closed'), 'x');
    chmodSync(at('closed'), 0);
    chmodSync(dir.path, 0o755);
    const invocation = tool().build({ file_path: 'closed' });
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      const result = await invocation.execute(new AbortController().signal);
      expect(result.error?.type).toBe(ToolErrorType.PERMISSION_DENIED);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('refuses every path out of the workspace', () => {
    symlinkSync('/etc/passwd', at('file-link'));
    symlinkSync('/etc', at('folder-link'));
    symlinkSync('/nowhere/at/all', at('dangling'));
    for (const path of [
      '../x',
      '/etc/passwd',
      'file-link',
      'folder-link/passwd',
      'dangling',
      '~/x',
      'a/../../x',
      '/etc/passwd\0.txt',
    ]) {
      expect(() => tool().build({ file_path: path }), path).toThrow('Path not in workspace');
    }
  });

  it('refuses a file that becomes a link out of the workspace after the check', async () => {
    writeFileSync(at('file'), 'x');
    const invocation = tool().build({ file_path: 'file' });
    unlinkSync(at('file'));
    symlinkSync('/etc/passwd', at('file'));
    const result = await invocation.execute(new AbortController().signal);
    expect(result.error?.type).toBe(ToolErrorType.PATH_NOT_IN_WORKSPACE);
    expect(result.llmContent).toContain('Path not in workspace');
  });

  it('reports a file deleted meanwhile as missing', async () => {
    writeFileSync(at('file'), 'x');
    const invocation = tool().build({ file_path: 'file' });
    unlinkSync(at('file'));
    const result = await invocation.execute(new AbortController().signal);
    expect(result.error).toEqual({
      message: `File not found: ${at('file')}`,
      type: ToolErrorType.FILE_NOT_FOUND,
    });
  });

  it('refuses ignored files, also through a link', () => {
    writeFileSync(at('.geminiignore'), 'secret.env\n');
    writeFileSync(at('secret.env'), 'KEY=1');
    symlinkSync('secret.env', at('innocent'));
    for (const path of ['secret.env', 'innocent']) {
      expect(() => tool().build({ file_path: path })).toThrow('is ignored by configured ignore patterns.');
    }
  });

  it('checks its parameters', () => {
    const problemOf = (params: ReadFileToolParams) => {
      try {
        tool().build(params);
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
      return undefined;
    };
    expect(problemOf({ file_path: '' })).toBe("The 'file_path' parameter must be non-empty.");
    expect(problemOf({ file_path: ' \0' })).toBe("The 'file_path' parameter must be non-empty.");
    expect(problemOf({ file_path: 'a', offset: -1 })).toBe('Offset must be a non-negative number');
    expect(problemOf({ file_path: 'a', limit: 0 })).toBe('Limit must be a positive number');
    expect(problemOf({ file_path: 'a', start_line: 0 })).toBe('params.start_line must be >= 1');
    expect(problemOf({ file_path: 'a', start_line: 3, end_line: 2 })).toBe(
      'start_line must not be greater than end_line',
    );
  });

  it('describes itself by the relative path and keeps the parameters', () => {
    mkdirSync(at('src'));
    const invocation = tool().build({ file_path: 'src/a.ts', start_line: 2 });
    expect(invocation.getDescription()).toBe('src/a.ts (lines 2-end)');
    expect(invocation.toolLocations()).toEqual([{ path: at('src/a.ts'), line: 2 }]);
    expect(invocation.params).toEqual({ file_path: 'src/a.ts', start_line: 2 });
  });

  it('accepts other names for the path', async () => {
    writeFileSync(at('a'), 'x');
    for (const name of ['absolute_path', 'path']) {
      const params = JSON.parse(JSON.stringify({ [name]: at('a') }));
      expect((await read(params)).llmContent).toBe('x');
    }
  });

  it('reads ten files side by side', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `f${index}`);
    for (const name of names) writeFileSync(at(name), `content of ${name}\n`);
    const results = await Promise.all(names.map((file_path) => read({ file_path })));
    expect(results.map(({ llmContent }) => llmContent)).toEqual(names.map((name) => `content of ${name}\n`));
  });
});
