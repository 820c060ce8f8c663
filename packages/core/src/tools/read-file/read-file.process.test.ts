import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolErrorType } from '../tool-error.js';
import { ReadFileTool, type ReadFileToolParams } from './read-file.js';

describe('read_file', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const at = (name: string) => join(dir.path, name);
  const tool = () => new ReadFileTool(makeHost(dir.path), makeBus());
  const read = (params: ReadFileToolParams) => tool().build(params).execute(new AbortController().signal);

  it('fails clearly on what cannot be read', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    mkdirSync(at('folder'));
    writeFileSync(at('sparse'), '');
    truncateSync(at('sparse'), 1024 ** 3);
    writeFileSync(at('21mb'), Buffer.alloc(21 * 1024 * 1024, 'a'));
    const typeOf = async (name: string) => (await read({ file_path: name })).error?.type;
    expect(await typeOf('gone')).toBe(ToolErrorType.FILE_NOT_FOUND);
    expect(await typeOf('folder')).toBe(ToolErrorType.TARGET_IS_DIRECTORY);
    expect(await typeOf('pipe')).toBe(ToolErrorType.READ_CONTENT_FAILURE);
    expect(await typeOf('sparse')).toBe(ToolErrorType.FILE_TOO_LARGE);
    expect(await typeOf('21mb')).toBe(ToolErrorType.FILE_TOO_LARGE);
    await expect(typeOf('n'.repeat(300))).rejects.toThrow('The name is too long: 300 bytes');
  });
});
