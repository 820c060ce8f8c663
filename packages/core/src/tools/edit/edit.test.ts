import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { ToolErrorType } from '../tool-error.js';
import { EditTool, type EditToolParams } from './edit.js';

describe('replace', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const signal = new AbortController().signal;
  const at = (name: string) => join(dir.path, name);
  const put = (name: string, content: string) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  const textOf = (name: string) => readFileSync(at(name), 'utf8');
  const tool = () => new EditTool(makeHost(dir.path), makeBus(PolicyDecision.ASK_USER));
  const edit = (old_string: string, new_string: string, more: Partial<EditToolParams> = {}) =>
    tool()
      .build({ file_path: 'f', old_string, new_string, ...more })
      .execute(signal);
  const errorTypeOf = async (...args: Parameters<typeof edit>) => (await edit(...args)).error?.type;

  it('changes the one place', async () => {
    put('f', 'one\ntwo\nthree\n');
    const result = await edit('two', '2');
    expect(textOf('f')).toBe('one\n2\nthree\n');
    expect(result.llmContent).toBe(
      `Successfully modified file: ${at('f')} (1 replacements).\n\nUpdated part:\none\n2\nthree`,
    );
    expect(result.returnDisplay).toEqual({
      fileName: 'f',
      filePath: at('f'),
      fileDiff: expect.stringContaining('@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n'),
      originalContent: 'one\ntwo\nthree\n',
      newContent: 'one\n2\nthree\n',
      diffStat: expect.objectContaining({ model_added_lines: 1, model_removed_lines: 1 }),
      isNewFile: false,
    });
  });

  it('takes the new text literally', async () => {
    put('f', 'price: X\n');
    await edit('X', '$& $1 $$ $` \\n');
    expect(textOf('f')).toBe('price: $& $1 $$ $` \\n\n');
  });

  it('applies two edits of one file one after the other, even if both were prepared first', async () => {
    put('f', 'a\nb\n');
    const invocations = [
      tool().build({ file_path: 'f', old_string: 'a', new_string: 'A' }),
      tool().build({ file_path: 'f', old_string: 'b', new_string: 'B' }),
    ];
    for (const invocation of invocations) await invocation.shouldConfirmExecute(signal);
    for (const invocation of invocations) expect((await invocation.execute(signal)).error).toBeUndefined();
    expect(textOf('f')).toBe('A\nB\n');
  });

  it('creates a file from empty text', async () => {
    const result = await edit('', 'new\n', { file_path: 'x/y' });
    expect(textOf('x/y')).toBe('new\n');
    expect(result).toEqual({
      llmContent: `Successfully created file: ${at('x/y')}.\n\nContent:\nnew\n`,
      returnDisplay: 'Created x/y',
    });
  });

  it('changes all places when allowed, or as many as expected', async () => {
    put('f', 'x x x');
    expect(await errorTypeOf('x', 'y')).toBe(ToolErrorType.EDIT_EXPECTED_OCCURRENCE_MISMATCH);
    expect((await edit('x', 'y')).llmContent).toContain('Set allow_multiple to true');
    expect(await errorTypeOf('x', 'y', { expected_replacements: 2 })).toBe(
      ToolErrorType.EDIT_EXPECTED_OCCURRENCE_MISMATCH,
    );
    expect(textOf('f')).toBe('x x x');
    const result = await edit('x', 'y', { expected_replacements: 3 });
    expect(result.llmContent).toContain('(3 replacements)');
    await edit('y', 'z', { allow_multiple: true });
    expect(textOf('f')).toBe('z z z');
  });

  it('reports why an edit cannot be made', async () => {
    put('f', 'text\n');
    put('binary', 'a\0b');
    put('huge', '');
    truncateSync(at('huge'), 1024 ** 3);
    mkdirSync(at('folder'));
    expect(await errorTypeOf('missing', 'x')).toBe(ToolErrorType.EDIT_NO_OCCURRENCE_FOUND);
    expect(await errorTypeOf('text', 'text')).toBe(ToolErrorType.EDIT_NO_CHANGE);
    expect(await errorTypeOf('', 'x')).toBe(ToolErrorType.ATTEMPT_TO_CREATE_EXISTING_FILE);
    expect(await errorTypeOf('a', 'b', { file_path: 'gone' })).toBe(ToolErrorType.FILE_NOT_FOUND);
    expect(await errorTypeOf('a', 'b', { file_path: 'binary' })).toBe(ToolErrorType.EDIT_PREPARATION_FAILURE);
    expect(await errorTypeOf('a', 'b', { file_path: 'huge' })).toBe(ToolErrorType.FILE_TOO_LARGE);
    expect(await errorTypeOf('a', 'b', { file_path: 'folder' })).toBe(ToolErrorType.TARGET_IS_DIRECTORY);
    expect(textOf('f')).toBe('text\n');
  });

  it('says where a loose match was made', async () => {
    put('f', 'const greeting = "Hello, wonderful world";\n');
    const result = await edit('const greeting = "Hello, wonderfull world";', 'const greeting = "Bye";');
    expect(result.llmContent).toContain('\n\nApplied fuzzy match at line 1.');
    expect(textOf('f')).toBe('const greeting = "Bye";\n');
  });

  describe('the end of the file', () => {
    it.each([
      ['without line end', 'a\nb', 'b', 'c\n', 'a\nc'],
      ['with line end', 'a\nb\n', 'b\n', 'c', 'a\nc\n'],
      ['with CRLF', 'a\r\nb\r\n', 'b\n', 'c', 'a\r\nc\r\n'],
      ['emptied', 'a\n', 'a\n', '', ''],
    ])('stays as it was: %s', async (_name, before, oldText, newText, after) => {
      put('f', before);
      await edit(oldText, newText);
      expect(textOf('f')).toBe(after);
    });

    it('changes when that is all the edit is about', async () => {
      put('f', 'a\nb');
      await edit('b', 'b\n');
      expect(textOf('f')).toBe('a\nb\n');
      await edit('b\n', 'b');
      expect(textOf('f')).toBe('a\nb');
    });
  });

  it('keeps the mode of the file', async () => {
    put('f', 'x\n');
    const { mode } = statSync(at('f'));
    await edit('x', 'y');
    expect(statSync(at('f')).mode).toBe(mode);
  });

  describe('a path without its folders', () => {
    it('is found when only one file ends with it', async () => {
      put('packages/core/src/only.ts', 'x\n');
      put('node_modules/lib/src/only.ts', 'x\n');
      const invocation = tool().build({ file_path: 'src/only.ts', old_string: 'x', new_string: 'y' });
      expect(invocation.params.file_path).toBe(at('packages/core/src/only.ts'));
      await invocation.execute(signal);
      expect(textOf('packages/core/src/only.ts')).toBe('y\n');
      expect(textOf('node_modules/lib/src/only.ts')).toBe('x\n');
    });

    it('is refused when several do', () => {
      put('a/same.ts', 'x');
      put('b/same.ts', 'x');
      const build = () => tool().build({ file_path: 'same.ts', old_string: 'x', new_string: 'y' });
      expect(build).toThrow(`give the path of one:\n${at('a/same.ts')}\n${at('b/same.ts')}`);
    });

    it('is not searched for when a file is to be created', async () => {
      put('a/same.ts', 'x');
      await edit('', 'new', { file_path: 'same.ts' });
      expect(textOf('same.ts')).toBe('new');
      expect(textOf('a/same.ts')).toBe('x');
    });
  });

  it('refuses paths out of the workspace and placeholders', () => {
    symlinkSync('/etc/passwd', at('link'));
    const build = (params: Partial<EditToolParams>) => () =>
      tool().build({ file_path: 'f', old_string: 'a', new_string: 'b', ...params });
    for (const file_path of ['../x', '/etc/passwd', 'link', '~/x']) {
      expect(build({ file_path }), file_path).toThrow('Path not in workspace');
    }
    expect(build({ file_path: '' })).toThrow('must be non-empty');
    expect(build({ new_string: 'x\n// rest of code ...\n' })).toThrow('placeholder');
    const inBoth = { old_string: '// rest of code ...', new_string: '// rest of code...\nmore' };
    expect(build(inBoth)).not.toThrow();
    expect(build({ expected_replacements: 0 })).toThrow('expected_replacements must be >= 1');
  });

  it('writes nothing when the folder becomes a link out of the workspace after the check', async () => {
    const outside = tempDir();
    mkdirSync(at('folder'));
    const invocation = tool().build({ file_path: 'folder/new', old_string: '', new_string: 'x' });
    rmdirSync(at('folder'));
    symlinkSync(outside.path, at('folder'));
    expect((await invocation.execute(signal)).error?.type).toBe(ToolErrorType.PATH_NOT_IN_WORKSPACE);
    expect(readdirSync(outside.path)).toEqual([]);
    outside.cleanup();
  });

  describe('when the user is asked', () => {
    async function ask(params: Partial<EditToolParams>) {
      const invocation = tool().build({ file_path: 'f', old_string: 'old', new_string: 'new', ...params });
      return { invocation, details: await invocation.shouldConfirmExecute(signal) };
    }

    it('shows the difference', async () => {
      put('f', 'old\r\nrest\r\n');
      expect((await ask({})).details).toMatchObject({
        type: 'edit',
        title: 'Confirm Edit: f',
        filePath: at('f'),
        fileDiff: expect.stringContaining(
          '--- f\tCurrent\n+++ f\tProposed\n@@ -1,2 +1,2 @@\n-old\n+new\n rest\n',
        ),
        originalContent: 'old\nrest\n',
        newContent: 'new\nrest\n',
      });
    });

    it('asks nothing about an edit that cannot be made', async () => {
      put('f', 'something\n');
      expect((await ask({})).details).toBe(false);
      expect((await ask({ file_path: 'gone' })).details).toBe(false);
    });

    it('writes the proposal as the user edited it, with its line ends kept', async () => {
      put('f', 'old\r\nlf\nlast\r\n');
      const { invocation, details } = await ask({});
      if (details === false) throw new Error('Nothing was asked.');
      await details.onConfirm(ToolConfirmationOutcome.ProceedOnce, { newContent: 'users\nlf\nlast\n' });
      const result = await invocation.execute(signal);
      expect(textOf('f')).toBe('users\r\nlf\nlast\r\n');
      expect(result.llmContent).toContain(
        'The user changed the proposed content. The file now contains:\nusers\n',
      );
      expect(result.returnDisplay).toMatchObject({ diffStat: { model_added_lines: 1, user_added_lines: 1 } });
    });

    it('drops the answer when the file changed meanwhile', async () => {
      put('f', 'old\n');
      const { invocation, details } = await ask({});
      if (details === false) throw new Error('Nothing was asked.');
      await details.onConfirm(ToolConfirmationOutcome.ProceedOnce, { newContent: 'users\n' });
      put('f', 'old\nprecious\n');
      expect((await invocation.execute(signal)).error?.message).toContain('changed after the user was asked');
      expect(textOf('f')).toBe('old\nprecious\n');
    });
  });

  it('declares the instruction as required but accepts calls without it', () => {
    const schema = tool().schema.parametersJsonSchema;
    expect(schema.required).toEqual(['file_path', 'instruction', 'old_string', 'new_string']);
    expect(Object.keys(schema.properties ?? {})).toEqual([
      'file_path',
      'instruction',
      'old_string',
      'new_string',
      'allow_multiple',
    ]);
  });

  it('describes itself in one line', () => {
    const describe_ = (old_string: string, new_string: string) =>
      tool().build({ file_path: 'f', old_string, new_string }).getDescription();
    put('f', '');
    expect(describe_('a', 'b')).toBe('f: a => b');
    expect(describe_('first\nsecond', 'x'.repeat(40))).toBe(`f: first... => ${'x'.repeat(30)}...`);
    expect(describe_('', 'b')).toBe('Create f');
  });
});
