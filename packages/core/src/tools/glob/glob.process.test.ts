import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResult } from '../tools.js';
import { type GlobParams, GlobTool } from './glob.js';

let dir: { path: string; cleanup: () => void };
let root: string;
beforeEach(() => {
  dir = tempDir();
  root = join(dir.path, 'project');
  mkdirSync(root);
});
afterEach(() => dir.cleanup());

function write(path: string, ageHours = 48): string {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, '');
  const time = Date.now() / 1000 - ageHours * 3600;
  utimesSync(target, time, time);
  return target;
}

function build(args: object, extraDirectories: string[] = []) {
  // The tool itself judges what it is sent.
  return new GlobTool(makeHost(root, extraDirectories), makeBus()).build(args as GlobParams);
}

function run(args: object, extraDirectories?: string[]): Promise<ToolResult> {
  return build(args, extraDirectories).execute({ abortSignal: new AbortController().signal });
}

async function found(args: object): Promise<string[]> {
  const text = String((await run(args)).llmContent);
  return text
    .split('\n')
    .slice(1)
    .map((path) => path.slice(root.length + 1));
}

describe('glob', () => {
  it('says what was ignored and when nothing is left', async () => {
    execFileSync('git', ['init', '-q', root]);
    writeFileSync(join(root, '.gitignore'), '*.log\nout/\n');
    writeFileSync(join(root, '.geminiignore'), 'secret.txt\n');
    for (const file of ['a.txt', 'b.log', 'out/c.txt', 'secret.txt', 'node_modules/d.txt']) write(file);
    expect(String((await run({ pattern: '**/*.{txt,log}' })).llmContent).split('\n')).toEqual([
      `Found 1 file(s) matching "**/*.{txt,log}" within ${root} (3 additional files were ignored), sorted by modification time (newest first):`,
      join(root, 'a.txt'),
    ]);
    expect(await run({ pattern: '*.log' })).toEqual({
      llmContent: `No files found matching pattern "*.log" within ${root} (1 additional files were ignored)`,
      returnDisplay: 'No files found',
    });
    expect(await found({ pattern: '**', respect_git_ignore: false })).not.toContain('secret.txt');
    expect(await found({ pattern: '*.txt', respect_gemini_ignore: false })).toEqual(['a.txt', 'secret.txt']);
    expect(await found({ pattern: '**/*.txt', respect_git_ignore: false })).toEqual(['a.txt', 'out/c.txt']);
  });
});
