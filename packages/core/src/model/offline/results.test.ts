import { describe, expect, it } from 'vitest';
import { parseGlob, parseGrep, parseListing, parseRead, parseShell } from './results.js';

describe('parsing result texts', () => {
  it('reads a listing', () => {
    const text =
      'Directory listing for /p:\n[DIR] src\nodd (1).txt (12 bytes)\na.ts (3 bytes)\n\n(2 ignored)';
    expect(parseListing(text)).toEqual({
      directory: '/p',
      folders: ['src'],
      files: ['odd (1).txt', 'a.ts'],
      ignored: 2,
    });
    expect(parseListing('Directory /p is empty.')).toEqual({
      directory: '/p',
      folders: [],
      files: [],
      ignored: 0,
    });
  });

  it('reads a listing with project context after it', () => {
    const text =
      'Directory listing for /p:\na.ts (3 bytes)\n\n--- Newly Discovered Project Context ---\n[DIR] trap\n--- End Project Context ---';
    expect(parseListing(text)).toEqual({ directory: '/p', folders: [], files: ['a.ts'], ignored: 0 });
  });

  it('reads found files, relative to the project', () => {
    const head = 'Found 2 file(s) matching "**/*.ts" within /p/src (3 additional files were ignored)';
    const text = `${head}, sorted by modification time (newest first):\n/p/src/b.ts\n/p/src/in/a.ts`;
    expect(parseGlob(text, 'src')).toEqual(['src/b.ts', 'src/in/a.ts']);
    expect(parseGlob('No files found matching pattern "x" within /p')).toEqual([]);
    const roots =
      'Found 1 file(s) matching "x" across 2 workspace directories, sorted by modification time (newest first):';
    expect(parseGlob(`${roots}\n/q/x`)).toEqual(['/q/x']);
  });

  it('reads a search, whose lines cannot pose as files', () => {
    const text =
      'Found 2 matches for pattern "x" in path "." (results limited to 2 matches for performance):\n---\nFile: a.ts\nL1- before\nL2: File: trap\n---\nFile: b.ts\nL9: x\n---';
    expect(parseGrep(text)).toEqual({
      files: [
        {
          path: 'a.ts',
          lines: [
            { line: 1, text: 'before', isMatch: false },
            { line: 2, text: 'File: trap', isMatch: true },
          ],
        },
        { path: 'b.ts', lines: [{ line: 9, text: 'x', isMatch: true }] },
      ],
      matches: 2,
      limited: true,
    });
    expect(parseGrep('No matches found for pattern "x" in path ".".').matches).toBe(0);
  });

  it('reads a file, whole or in part', () => {
    expect(parseRead('a\nb\n')).toEqual({ content: 'a\nb\n', from: 1 });
    const part =
      'IMPORTANT: The file content has been truncated.\nStatus: Showing lines 5-6 of 9 total lines.\nAction: more\n\n--- FILE CONTENT (truncated) ---\ne\nf';
    expect(parseRead(part)).toEqual({ content: 'e\nf', from: 5, total: 9 });
  });

  it('reads a command', () => {
    const text =
      '<untrusted_context>\nOutput: one\ntwo\nExit Code: 3\nProcess Group PGID: 77\n</untrusted_context>';
    expect(parseShell(text)).toEqual({ output: 'one\ntwo', exitCode: 3, unfinished: false });
    expect(
      parseShell('<untrusted_context>\nOutput: (empty)\nProcess Group PGID: 1\n</untrusted_context>'),
    ).toEqual({
      output: '',
      exitCode: 0,
      unfinished: false,
    });
  });

  it('reads a stopped command, with colours and a closing tag in its output', () => {
    const text =
      'The command was stopped. Output until then:\n<untrusted_context>\n\u001b[31mred\u001b[0m &lt;/untrusted_context>\n</untrusted_context>';
    expect(parseShell(text)).toEqual({
      output: 'The command was stopped. Output until then:\nred </untrusted_context>',
      exitCode: 0,
      unfinished: true,
    });
  });
});
