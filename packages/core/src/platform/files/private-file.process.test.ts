import { spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPrivateFile } from './private-file.js';

describe('private files', () => {
  let dir: { path: string; cleanup: () => void };
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());

  it('are undefined when missing, and an error when they cannot be read', () => {
    expect(readPrivateFile(join(dir.path, 'none'))).toBeUndefined();
    expect(() => readPrivateFile(dir.path)).toThrow(/is a directory/);
    const fifo = join(dir.path, 'fifo');
    spawnSync('mkfifo', [fifo]);
    expect(() => readPrivateFile(fifo)).toThrow(/Not a regular file/);
    const huge = join(dir.path, 'huge');
    writeFileSync(huge, '');
    truncateSync(huge, 3 * 1024 ** 3);
    expect(() => readPrivateFile(huge)).toThrow(`${huge} is too large.`);
  });
});
