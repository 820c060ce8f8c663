import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolErrorType } from '../tool-error.js';
import type { ToolResult } from '../tools.js';
import { type GlobParams, GlobTool } from './glob.js';

let dir: { path: string; cleanup: () => void };
let root: string;
beforeEach(() => {
  dir = tempDir();
  root = join(dir.path, 'project');
  mkdirSync(root);
});
afterEach(() => dir.cleanup());

function write(path: string, ageHours = 48): string {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, '');
  const time = Date.now() / 1000 - ageHours * 3600;
  utimesSync(target, time, time);
  return target;
}

function build(args: object, extraDirectories: string[] = []) {
  // The tool itself judges what it is sent.
  return new GlobTool(makeHost(root, extraDirectories), makeBus()).build(args as GlobParams);
}

function run(args: object, extraDirectories?: string[]): Promise<ToolResult> {
  return build(args, extraDirectories).execute({ abortSignal: new AbortController().signal });
}

async function found(args: object): Promise<string[]> {
  const text = String((await run(args)).llmContent);
  return text
    .split('\n')
    .slice(1)
    .map((path) => path.slice(root.length + 1));
}

describe('glob', () => {
  it('lists files of the last day by time, then the others by name', async () => {
    const files = [
      write('new.ts', 1),
      write('sub/newest.ts', 0.1),
      write('b.ts'),
      write('a.ts', 100),
      write('z/a.ts', 23),
    ];
    expect(await run({ pattern: '**/*.ts' })).toEqual({
      llmContent: [
        `Found 5 file(s) matching "**/*.ts" within ${root}, sorted by modification time (newest first):`,
        files[1],
        files[0],
        files[4],
        files[3],
        files[2],
      ].join('\n'),
      returnDisplay: 'Found 5 matching file(s)',
    });
  });

  it('accepts other names for the directory, and further globs to leave out', async () => {
    for (const file of ['src/a.ts', 'src/a.test.ts', 'src/gen/b.ts', 'c.ts']) write(file);
    for (const name of ['dir_path', 'directory', 'path']) {
      expect(await found({ pattern: '*.ts', [name]: 'src' })).toEqual(['src/a.test.ts', 'src/a.ts']);
    }
    expect(await found({ pattern: '**/*.ts', ignore: ['*.test.ts', 'gen'] })).toEqual(['c.ts', 'src/a.ts']);
    expect(await found({ pattern: '**/A.ts', case_sensitive: true })).toEqual([]);
    expect(await found({ pattern: '**/A.ts' })).toEqual(['src/a.ts']);
  });

  it('searches every workspace directory', async () => {
    const other = join(dir.path, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'x.md'), '');
    write('y.md');
    expect((await run({ pattern: '*.md' }, [other])).llmContent).toBe(
      `Found 2 file(s) matching "*.md" across 2 workspace directories, sorted by modification time (newest first):\n` +
        `${join(other, 'x.md')}\n${join(root, 'y.md')}`,
    );
  });

  it('searches the directory of an absolute pattern, and nothing outside of the workspace', async () => {
    const file = write('src/a.ts');
    mkdirSync(join(dir.path, 'other'));
    expect(await found({ pattern: join(root, 'src/*.ts') })).toEqual(['src/a.ts']);
    expect(await found({ pattern: 'src//*.ts' })).toEqual(['src/a.ts']);
    const both = await run({ pattern: join(root, 'src/*.ts') }, [join(dir.path, 'other')]);
    expect(String(both.llmContent)).toContain(file);
    const outside = await run({ pattern: '/etc/*' });
    expect(outside.error).toBeUndefined();
    expect(String(outside.llmContent)).toMatch(/^No files found matching pattern "\/etc\/\*"/);
  });

  it('shows a name with a line break on one line', async () => {
    write('a\n/etc/passwd');
    expect(await found({ pattern: '**/passwd' })).toEqual(['a\\n/etc/passwd']);
  });

  it('checks its parameters', () => {
    write('file.txt');
    expect(() => build({ pattern: '' })).toThrow('params.pattern must be non-empty');
    expect(() => build({ pattern: '  ' })).toThrow('The pattern must be non-empty.');
    expect(() => build({ pattern: '../*' })).toThrow('must not contain ".."');
    expect(() => build({ pattern: '*', dir_path: '/etc' })).toThrow('Path not in workspace');
    expect(() => build({ pattern: '*', dir_path: 'gone' })).toThrow(
      `Search path does not exist: ${join(root, 'gone')}`,
    );
    expect(() => build({ pattern: '*', dir_path: 'file.txt' })).toThrow('Search path is not a directory');
    expect(() => build({ pattern: '*', ignore: 'x' })).toThrow('params.ignore must be an array');
    expect(build({ pattern: '*.ts', path: '.' }).getDescription()).toBe("'*.ts' within .");
  });

  it('reports a deleted directory and an aborted search', async () => {
    mkdirSync(join(root, 'sub'));
    const invocation = build({ pattern: '*', dir_path: 'sub' });
    rmSync(join(root, 'sub'), { recursive: true });
    const gone = await invocation.execute({ abortSignal: new AbortController().signal });
    expect(gone.error?.type).toBe(ToolErrorType.SEARCH_PATH_NOT_FOUND);
    const aborted = await build({ pattern: '*' }).execute({ abortSignal: AbortSignal.abort() });
    expect(aborted.error).toEqual({
      message: 'The search was cancelled.',
      type: ToolErrorType.GLOB_EXECUTION_ERROR,
    });
  });
});
