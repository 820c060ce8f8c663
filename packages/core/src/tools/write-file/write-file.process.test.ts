import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PolicyDecision } from '../../protocol/confirmation.js';
import { ToolErrorType } from '../tool-error.js';
import { WriteFileTool, type WriteFileToolParams } from './write-file.js';

describe('write_file', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const signal = new AbortController().signal;
  const at = (name: string) => join(dir.path, name);
  const textOf = (name: string) => readFileSync(at(name), 'utf8');
  const bus = makeBus(PolicyDecision.ASK_USER);
  const tool = () => new WriteFileTool(makeHost(dir.path), bus);
  const write = (params: WriteFileToolParams) => tool().build(params).execute(signal);

  it('says why it cannot write, and keeps the existing file', async () => {
    writeFileSync(at('binary'), 'a\0b');
    writeFileSync(at('plain'), '');
    writeFileSync(at('huge'), '');
    truncateSync(at('huge'), 1024 ** 3);
    execFileSync('mkfifo', [at('pipe')]);
    const errorOf = async (file_path: string) => (await write({ file_path, content: 'x' })).error;
    expect(await errorOf('binary')).toEqual({
      type: ToolErrorType.FILE_WRITE_FAILURE,
      message: `${at('binary')} is a binary file. Delete it first if text shall take its place.`,
    });
    expect((await errorOf('plain/below'))?.type).toBe(ToolErrorType.FILE_WRITE_FAILURE);
    expect((await errorOf('huge'))?.type).toBe(ToolErrorType.FILE_TOO_LARGE);
    expect((await errorOf('pipe'))?.type).toBe(ToolErrorType.FILE_WRITE_FAILURE);
    expect(textOf('binary')).toBe('a\0b');
  });

  it('leaves the old file whole when the disk is full', async () => {
    mkdirSync(at('disk'));
    const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', at('disk')]).status === 0;
    // Where mounting is not allowed, a folder that takes nothing new stands in for a full disk.
    if (!isMounted) chmodSync(at('disk'), 0o555);
    try {
      if (isMounted) writeFileSync(at('disk/file'), 'old');
      const { error } = await write({ file_path: 'disk/file', content: 'n'.repeat(100_000) });
      expect(error?.type).toBe(isMounted ? ToolErrorType.NO_SPACE_LEFT : ToolErrorType.PERMISSION_DENIED);
      if (isMounted) expect(textOf('disk/file')).toBe('old');
      expect(readdirSync(at('disk'))).toEqual(isMounted ? ['file'] : []);
    } finally {
      if (isMounted) spawnSync('umount', [at('disk')]);
    }
  });
});
