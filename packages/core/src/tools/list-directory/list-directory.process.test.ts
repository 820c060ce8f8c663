import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolErrorType } from '../tool-error.js';
import { LSTool, type LSToolParams } from './list-directory.js';

describe('list_directory', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const at = (name: string) => join(dir.path, name);
  const tool = () => new LSTool(makeHost(dir.path), makeBus());
  const list = (params: LSToolParams) => tool().build(params).execute(new AbortController().signal);

  it('shows links, pipes and odd names without opening them', async () => {
    mkdirSync(at('real'));
    symlinkSync('real', at('linked'));
    symlinkSync('nowhere', at('dangling'));
    execFileSync('mkfifo', [at('pipe')]);
    writeFileSync(at('evil\n[DIR] fake'), '');
    expect((await list({ dir_path: '.' })).llmContent).toBe(
      [
        `Directory listing for ${dir.path}:`,
        '[DIR] linked',
        '[DIR] real',
        'dangling (7 bytes)',
        'evil\\n[DIR] fake (0 bytes)',
        'pipe (0 bytes)',
      ].join('\n'),
    );
  });

  it('refuses a folder that becomes a link out of the workspace after the check', async () => {
    mkdirSync(at('folder'));
    const invocation = tool().build({ dir_path: 'folder' });
    execFileSync('rmdir', [at('folder')]);
    symlinkSync('/etc', at('folder'));
    const result = await invocation.execute(new AbortController().signal);
    expect(result.error?.type).toBe(ToolErrorType.PATH_NOT_IN_WORKSPACE);
  });
});
