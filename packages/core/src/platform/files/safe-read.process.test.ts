import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFileBytes } from './safe-read.js';

describe('readFileBytes', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const at = (name: string) => join(dir.path, name);
  const problemOf = (path: string) => {
    try {
      readFileBytes(path);
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it('refuses a FIFO at once', () => {
    execFileSync('mkfifo', [at('pipe')]);
    expect(problemOf(at('pipe'))).toMatchObject({
      problem: 'special',
      message: `Not a regular file (FIFO): ${at('pipe')}`,
    });
  });

  it('never waits when a file is repeatedly replaced by a FIFO', async () => {
    writeFileSync(at('file'), 'x');
    execFileSync('mkfifo', [at('pipe')]);
    // One process, so that nothing is moved any more once it is gone.
    const script = `const { renameSync } = require('node:fs'); console.log('ready');
      for (;;) { renameSync('pipe', 't'); renameSync('file', 'pipe'); renameSync('t', 'file'); }`;
    const swapper = spawn(process.execPath, ['-e', script], { cwd: dir.path });
    await once(swapper.stdout, 'data');
    try {
      for (let round = 0; round < 300; round++) {
        const error = problemOf(at('file'));
        if (error) expect(error).toMatchObject({ problem: expect.stringMatching(/special|missing/) });
      }
    } finally {
      swapper.kill('SIGKILL');
      await once(swapper, 'exit');
    }
  });
});
