import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
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
  const part = (name: string, content = `content of ${name}\n`) => `--- ${at(name)} ---\n\n${content}\n\n`;

  it('skips what it cannot read, with the reason', async () => {
    put('good.txt', 'binary.txt');
    writeFileSync(at('binary.txt'), 'a\0b');
    writeFileSync(at('huge.txt'), '');
    truncateSync(at('huge.txt'), 1024 ** 3);
    execFileSync('mkfifo', [at('pipe.txt')]);
    symlinkSync('/etc/passwd', at('escape.txt'));
    const { returnDisplay, llmContent } = await read({}, '*.txt', '../*', '/etc/*');
    expect(llmContent).toEqual([part('good.txt'), '--- End of content ---']);
    expect(returnDisplay).toMatchObject({
      files: ['good.txt'],
      skipped: expect.arrayContaining([
        { path: 'binary.txt', reason: 'binary file' },
        { path: 'huge.txt', reason: expect.stringContaining('too large') },
        { path: 'escape.txt', reason: expect.stringContaining('Path not in workspace') },
        { path: '../*', reason: expect.stringContaining('Path not in workspace') },
        { path: '/etc/*', reason: expect.stringContaining('Path not in workspace') },
      ]),
    });
  });
});
