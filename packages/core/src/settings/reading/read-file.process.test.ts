import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettingsText } from './read-file.js';

let dir: ReturnType<typeof tempDir>;
let path: string;
beforeEach(() => {
  dir = tempDir();
  path = join(dir.path, 'settings.json');
});
afterEach(() => dir.cleanup());

describe('readSettingsText', () => {
  it.each<[string, string, () => void]>([
    ['a directory', 'a directory stands where the file should be.', () => mkdirSync(path)],
    ['a FIFO', 'it is not a regular file.', () => void execFileSync('mkfifo', [path])],
    ['a binary file', 'this is a binary file, not JSON.', () => writeFileSync(path, Buffer.from([1, 0, 2]))],
    ['UTF-16', 'the file is UTF-16; save it as UTF-8.', () => writeFileSync(path, '\ufeff{}', 'utf16le')],
    ['a ring of links', 'the symbolic links to it form a ring.', () => symlinkSync(path, path)],
    [
      '100 MB',
      'it is larger than 4 MB, which no settings file is.',
      () => {
        writeFileSync(path, '{}');
        truncateSync(path, 100 * 1024 * 1024);
      },
    ],
  ])('tells why %s cannot be read', (_what, failure, make) => {
    make();
    expect(readSettingsText(path)).toMatchObject({ exists: true, text: '', failure });
  });
});
