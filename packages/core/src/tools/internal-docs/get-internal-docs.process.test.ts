import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolErrorType } from '../tool-error.js';
import { listDocs, readDoc } from './docs-folder.js';

let dir: { path: string; cleanup: () => void };
let docs: string;
beforeEach(() => {
  dir = tempDir();
  docs = join(dir.path, 'dist/docs');
  mkdirSync(join(docs, 'cli'), { recursive: true });
  mkdirSync(join(dir.path, 'dist/chunks'));
  writeFileSync(join(docs, 'index.md'), '# Start');
  writeFileSync(join(docs, 'cli/themes.md'), '# Themes');
  writeFileSync(join(docs, 'picture.png'), 'x');
  writeFileSync(join(dir.path, 'secret.md'), 'secret');
});
afterEach(() => dir.cleanup());

describe('the documentation', () => {
  it('cannot be escaped by dots, absolute paths or links, and a pipe does not block', () => {
    symlinkSync(join(dir.path, 'secret.md'), join(docs, 'link.md'));
    symlinkSync(dir.path, join(docs, 'up'));
    execFileSync('mkfifo', [join(docs, 'pipe.md')]);
    for (const path of [
      '../../secret.md',
      join(dir.path, 'secret.md'),
      'link.md',
      'up/secret.md',
      'a\0.md',
      '/etc/passwd',
    ]) {
      const result = readDoc(docs, path);
      expect(result.error?.type, path).toBe(ToolErrorType.PATH_NOT_IN_WORKSPACE);
      expect(result.llmContent).not.toContain('secret\n');
    }
    expect(readDoc(docs, 'pipe.md').error?.type).toBe(ToolErrorType.FILE_NOT_FOUND);
    expect(listDocs(docs).llmContent).toBe('Available documentation files:\n\n- cli/themes.md\n- index.md');
  });
});
