import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EnvFileRequest, loadEnvFile } from './env-file.js';

let root: ReturnType<typeof tempDir>;
const at = (...parts: string[]) => join(root.path, ...parts);

beforeEach(() => {
  root = tempDir();
  vi.stubEnv('HOME', at('home'));
  mkdirSync(at('home/.gemini'), { recursive: true });
  mkdirSync(at('home/repo/.git'), { recursive: true });
  mkdirSync(at('home/repo/sub/deep'), { recursive: true });
});

afterEach(() => {
  vi.unstubAllEnvs();
  root.cleanup();
});

function put(path: string, content: string | Uint8Array = `FROM=${path}`): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
  return at(path);
}

function load(cwd: string, request: Partial<EnvFileRequest> = {}) {
  return loadEnvFile({
    cwd: at(cwd),
    trusted: true,
    env: { GEMINI_CLI_HOME: at('home') },
    excluded: ['DEBUG', 'DEBUG_MODE'],
    ignoreLocal: false,
    ...request,
  });
}

describe('the search', () => {
  it.each([
    ['a FIFO', () => execFileSync('mkfifo', [at('home/repo/.env')]), 'it is not a regular file'],
    ['a device', () => symlinkSync('/dev/zero', at('home/repo/.env')), 'it is not a regular file'],
    ['a binary file', () => put('home/repo/.env', Buffer.from([65, 61, 0, 1])), 'it is not a text file'],
    ['UTF-16', () => put('home/repo/.env', Buffer.from('A=1', 'utf16le')), 'it is not a text file'],
    [
      'a huge file',
      () => truncateSync(put('home/repo/.env'), 100 * 1024 * 1024),
      'it is larger than 1024 KB',
    ],
  ])('skips %s, says so and continues', (_what, prepare, reason) => {
    prepare();
    put('home/.gemini/.env');
    expect(load('home/repo')).toMatchObject({
      path: at('home/.gemini/.env'),
      skipped: [{ path: at('home/repo/.env'), kind: 'unreadable', reason }],
    });
  });
});
