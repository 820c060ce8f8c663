import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ReadManyFilesParams, ReadManyFilesTool } from './read-many-files.js';

describe('read_many_files', () => {
  let dir: ReturnType<typeof tempDir>;
  let other: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
    other = tempDir();
  });
  afterEach(() => {
    dir.cleanup();
    other.cleanup();
  });
  const at = (name: string) => join(dir.path, name);
  const put = (...names: string[]) => {
    for (const name of names) {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), `content of ${name}\n`);
    }
  };
  const read = (params: Omit<ReadManyFilesParams, 'include'>, ...include: string[]) =>
    new ReadManyFilesTool(makeHost(dir.path, [other.path]), makeBus())
      .build({ ...params, include })
      .execute(new AbortController().signal);
  const filesOf = async (...include: string[]) => {
    const { returnDisplay } = await read({}, ...include);
    return typeof returnDisplay === 'object' && 'files' in returnDisplay ? returnDisplay.files : [];
  };
  const part = (name: string, content = `content of ${name}\n`) => `--- ${at(name)} ---\n\n${content}\n\n`;

  it('returns all matching files in the order of their paths', async () => {
    put('src/b.ts', 'src/a.ts', 'src/sub/.hidden.ts', 'readme.md');
    const result = await read({}, 'src/**/*.TS', 'readme.md');
    expect(result.llmContent).toEqual([
      part('readme.md'),
      part('src/a.ts'),
      part('src/b.ts'),
      part('src/sub/.hidden.ts'),
      '--- End of content ---',
    ]);
    expect(result.returnDisplay).toMatchObject({
      summary: 'Read 4 file(s):\n- readme.md\n- src/a.ts\n- src/b.ts\n- src/sub/.hidden.ts',
      files: ['readme.md', 'src/a.ts', 'src/b.ts', 'src/sub/.hidden.ts'],
      skipped: [],
      include: ['src/**/*.TS', 'readme.md'],
      targetDir: dir.path,
    });
  });

  it('reads folders, absolute paths and other workspace folders', async () => {
    put('src/a.ts', 'src/deep/b.ts');
    writeFileSync(join(other.path, 'c.ts'), 'c');
    expect(await filesOf('src')).toEqual(['src/a.ts', 'src/deep/b.ts']);
    expect(await filesOf(at('src/a.ts'))).toEqual(['src/a.ts']);
    expect(await filesOf('*.ts')).toEqual([join(other.path, 'c.ts')]);
    const flat = await read({ recursive: false }, 'src', 'src/**/*.ts');
    expect(flat.returnDisplay).toMatchObject({ files: ['src/a.ts'] });
  });

  it('takes existing names with glob characters literally', async () => {
    put('app/[id]/page.tsx', 'app/i/page.tsx', 'a{1}.txt', 'with space.txt');
    expect(await filesOf('app/[id]/page.tsx')).toEqual(['app/[id]/page.tsx']);
    expect(await filesOf('app/[id]')).toEqual(['app/[id]/page.tsx']);
    expect(await filesOf('a{1}.txt', 'with space.txt')).toEqual(['a{1}.txt', 'with space.txt']);
  });

  it('leaves out dependencies, build output, secrets and binaries', async () => {
    put('a.ts', 'node_modules/x/a.ts', 'dist/a.ts', 'sub/build/a.ts', '.env', 'a.zip', 'GEMINI.md', 'x.pyc');
    expect(await filesOf('**')).toEqual(['a.ts']);
    const all = await read({ useDefaultExcludes: false, exclude: ['**/*.zip'] }, '**');
    expect(all.returnDisplay).toMatchObject({
      files: expect.arrayContaining(['.env', 'GEMINI.md', 'a.ts', 'dist/a.ts', 'node_modules/x/a.ts']),
    });
    expect((await read({}, 'dist/a.ts')).returnDisplay).toMatchObject({
      summary: 'No files were read.\nSkipped 1 item(s):\n- dist/a.ts (ignored or excluded by a pattern)',
    });
  });

  it('honours ignore files unless told otherwise', async () => {
    put('a.txt', 'secret.txt');
    writeFileSync(at('.geminiignore'), 'secret.txt\n');
    expect(await filesOf('*.txt')).toEqual(['a.txt']);
    const all = await read({ file_filtering_options: { respect_gemini_ignore: false } }, '*.txt');
    expect(all.returnDisplay).toMatchObject({ files: ['a.txt', 'secret.txt'] });
  });

  it('reads images, PDF and audio only when asked for by name or suffix', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0, 1]);
    for (const name of ['logo.png', 'other.png', 'doc.pdf']) writeFileSync(at(name), bytes);
    put('a.txt');
    expect(await filesOf('**')).toEqual(['a.txt']);
    expect(await filesOf('*.png')).toEqual(['logo.png', 'other.png']);
    expect((await read({}, 'logo.*')).llmContent).toEqual([
      { inlineData: { mimeType: 'image/png', data: bytes.toString('base64') } },
      '--- End of content ---',
    ]);
  });

  it('warns about files it had to cut', async () => {
    writeFileSync(at('long'), 'x\n'.repeat(2001));
    const result = await read({}, 'long');
    expect(String(Array.isArray(result.llmContent) && result.llmContent[0])).toMatch(
      /^--- .*long ---\n\n\[WARNING: This file was truncated\. .*\]\n\nx\n/,
    );
  });

  it('shows the first ten files it read and the first five it skipped', async () => {
    put(...Array.from({ length: 12 }, (_, index) => `f${10 + index}.txt`));
    for (let index = 0; index < 7; index++) writeFileSync(at(`z${index}.txt`), '\0');
    const { returnDisplay } = await read({}, '*.txt');
    const summary =
      typeof returnDisplay === 'object' && 'summary' in returnDisplay ? returnDisplay.summary : '';
    const lines = summary.split('\n');
    expect(lines).toHaveLength(1 + 11 + 1 + 6);
    expect(lines.slice(10, 14)).toEqual([
      '- f19.txt',
      '- ... and 2 more',
      'Skipped 7 item(s):',
      '- z0.txt (binary file)',
    ]);
    expect(lines.at(-1)).toBe('- ... and 2 more');
  });

  it('reports that no file matches', async () => {
    expect(await read({}, 'nothing*')).toMatchObject({
      llmContent: ['No files matching the criteria were found or all were skipped.'],
      returnDisplay: { summary: 'No files were read.' },
    });
  });

  it('reads through a linked folder of the workspace', async () => {
    put('real/a.txt');
    symlinkSync('real', at('link'));
    expect(await filesOf('link/a.txt')).toEqual(['real/a.txt']);
    expect(await filesOf('link')).toEqual(['real/a.txt']);
  });

  it('requires something to include', () => {
    const build = (include: string[]) => () =>
      new ReadManyFilesTool(makeHost(dir.path), makeBus()).build({ include });
    expect(build([])).toThrow('params.include must have at least 1 item(s)');
    expect(build([''])).toThrow('params.include[0] must be non-empty');
  });
});
