import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolErrorType } from '../tool-error.js';
import { LSTool, type LSToolParams } from './list-directory.js';
import { matchesGlob } from './list-entries.js';

describe('list_directory', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const at = (name: string) => join(dir.path, name);
  const tool = () => new LSTool(makeHost(dir.path), makeBus());
  const list = (params: LSToolParams) => tool().build(params).execute(new AbortController().signal);

  it('lists folders first, each group by name', async () => {
    mkdirSync(at('zeta'));
    mkdirSync(at('alpha'));
    writeFileSync(at('b.txt'), '12345');
    writeFileSync(at('A.txt'), '');
    expect(await list({ dir_path: '.' })).toEqual({
      llmContent: `Directory listing for ${dir.path}:\n[DIR] alpha\n[DIR] zeta\nA.txt (0 bytes)\nb.txt (5 bytes)`,
      returnDisplay: {
        summary: 'Found 4 item(s).',
        files: ['[DIR] alpha', '[DIR] zeta', 'A.txt (0 bytes)', 'b.txt (5 bytes)'],
      },
    });
  });

  it('leaves out what is ignored and counts it', async () => {
    mkdirSync(at('.git'));
    writeFileSync(at('.gitignore'), '*.log\nout/\n');
    writeFileSync(at('.geminiignore'), 'secret.txt\n');
    mkdirSync(at('out'));
    for (const name of ['a.log', 'b.log', 'secret.txt', 'kept.txt']) writeFileSync(at(name), 'x');
    const byGit = await list({ dir_path: '.', file_filtering_options: { respect_gemini_ignore: false } });
    expect(byGit.llmContent).toContain('secret.txt (1 bytes)');
    expect(byGit.llmContent).not.toContain('a.log');
    const all = await list({ dir_path: dir.path, ignore: ['.*'] });
    expect(all.llmContent).toBe(`Directory listing for ${dir.path}:\nkept.txt (1 bytes)\n\n(4 ignored)`);
    expect(all.returnDisplay).toEqual({
      summary: 'Found 1 item(s). (4 ignored)',
      files: ['kept.txt (1 bytes)'],
    });
  });

  it('leaves out names by glob', async () => {
    for (const name of ['a.ts', 'a.test.ts', 'b1', 'b22']) writeFileSync(at(name), '');
    expect((await list({ dir_path: '.', ignore: ['*.test.ts', 'b?'] })).llmContent).toBe(
      `Directory listing for ${dir.path}:\na.ts (0 bytes)\nb22 (0 bytes)`,
    );
  });

  it('says that a folder is empty', async () => {
    expect(await list({ dir_path: '.' })).toEqual({
      llmContent: `Directory ${dir.path} is empty.`,
      returnDisplay: 'Directory is empty.',
    });
  });

  it('says what is wrong with the path', async () => {
    writeFileSync(at('file'), '');
    symlinkSync('/', at('root'));
    expect((await list({ dir_path: 'file' })).error).toEqual({
      type: ToolErrorType.PATH_IS_NOT_A_DIRECTORY,
      message: `Path is not a directory: ${at('file')}. Use read_file for files.`,
    });
    expect((await list({ dir_path: 'gone' })).error?.type).toBe(ToolErrorType.LS_EXECUTION_ERROR);
    expect(() => tool().build({ dir_path: '' })).toThrow("The 'dir_path' parameter must be non-empty.");
    for (const outside of ['..', '/etc', 'root', 'root/etc', '~']) {
      expect(() => tool().build({ dir_path: outside })).toThrow('Path not in workspace');
    }
  });
});

describe('matchesGlob', () => {
  it('knows stars and question marks and nothing else', () => {
    expect(matchesGlob('*.ts', 'a.ts')).toBe(true);
    expect(matchesGlob('*.ts', 'a.tsx')).toBe(false);
    expect(matchesGlob('a.c', 'abc')).toBe(false);
    expect(matchesGlob('[ab]', 'a')).toBe(false);
    expect(matchesGlob('?', '?')).toBe(true);
    expect(matchesGlob('', '')).toBe(true);
    expect(matchesGlob('**', 'anything')).toBe(true);
  });

  it('compares many stars within the time limit of a test', () => {
    expect(matchesGlob(`${'*a'.repeat(100)}b`, 'a'.repeat(5000))).toBe(false);
  });
});
