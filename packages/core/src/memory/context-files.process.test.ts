import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryLab } from './memory.test-helper.js';

describe('a context file', () => {
  it('that would block, or is a cycle of links, is reported, and the rest works', async () => {
    const lab = memoryLab();
    execFileSync('mkfifo', [join(lab.repo, 'GEMINI.md')]);
    symlinkSync('GEMINI.md', join(lab.repo, 'packages/GEMINI.md'));
    lab.put('repo/packages/app/GEMINI.md', 'rules');
    const { files, problems } = await lab.manager().load();
    expect(files.map(({ text }) => text)).toEqual(['rules']);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('cannot be looked at'),
      expect.stringContaining('Not a regular file'),
    ]);
  });
});
