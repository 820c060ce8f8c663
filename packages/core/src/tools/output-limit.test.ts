import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitToolOutput } from './output-limit.js';

let temp: ReturnType<typeof tempDir>;
beforeEach(() => {
  temp = tempDir();
});
afterEach(() => temp.cleanup());

const limit = (text: string, overrides = {}) =>
  limitToolOutput(text, {
    threshold: 100,
    toolName: 'run_shell_command',
    callId: 'Call/1',
    directory: join(temp.path, 'outputs', 'session-1'),
    ...overrides,
  });

describe('limitToolOutput', () => {
  it('does not change a text of the allowed length, nor any text when disabled', () => {
    const text = 'x'.repeat(100);
    expect(limit(text)).toEqual({ text });
    expect(limit('y'.repeat(1000), { threshold: 0 })).toEqual({ text: 'y'.repeat(1000) });
    expect(limit('y'.repeat(1000), { threshold: -1 })).toEqual({ text: 'y'.repeat(1000) });
    expect(readdirSync(temp.path)).toEqual([]);
  });

  it('returns the first fifth and the rest from the end, and saves the full text for the user only', () => {
    const text = `${'a'.repeat(150)}\n${'z'.repeat(150)}\n`;
    const { text: limited, savedTo = '' } = limit(text);
    expect(savedTo).toBe(join(temp.path, 'outputs', 'session-1', 'run_shell_command_call_1.txt'));
    expect(limited).toBe(
      [
        `Output too large: 302 characters in 2 lines. Shown are the first 20 and the last 80. The full output is saved in ${savedTo}; read_file with start_line and end_line shows any part of it.`,
        '',
        'a'.repeat(20),
        '',
        `... [202 characters omitted, see ${savedTo}] ...`,
        '',
        `${'z'.repeat(79)}\n`,
      ].join('\n'),
    );
    expect(readFileSync(savedTo, 'utf8')).toBe(text);
    expect(statSync(savedTo).mode & 0o777).toBe(0o600);
    expect(statSync(join(savedTo, '..')).mode & 0o777).toBe(0o700);
  });

  it('never splits a surrogate pair', () => {
    for (let shift = 0; shift < 2; shift++) {
      const { text } = limit('x'.repeat(shift) + '😀'.repeat(200) + 'y'.repeat(shift), { threshold: 101 });
      expect(text).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('still shortens, and says so, when the rest cannot be saved', () => {
    writeFileSync(join(temp.path, 'outputs'), 'a file in the way');
    const { text, savedTo } = limit('x'.repeat(500));
    expect(savedTo).toBeUndefined();
    expect(text).toContain('The rest could not be saved (ENOTDIR)');
    expect(text).toContain('... [400 characters omitted] ...');
    expect(text.length).toBeLessThan(400);
  });

  it('never overwrites an earlier text nor follows a link', () => {
    const first = limit('1'.repeat(500));
    const second = limit('2'.repeat(500));
    expect(second.savedTo).toBe(first.savedTo?.replace('.txt', '-2.txt'));
    expect(readFileSync(first.savedTo ?? '', 'utf8')).toBe('1'.repeat(500));
    const victim = join(temp.path, 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, first.savedTo?.replace('.txt', '-3.txt') ?? '');
    expect(limit('3'.repeat(500)).savedTo).toMatch(/-4\.txt$/);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });

  it('keeps a hostile call id inside the directory', () => {
    const { savedTo = '' } = limit('x'.repeat(500), { callId: `../../\0${'e'.repeat(5000)}` });
    expect(savedTo.startsWith(join(temp.path, 'outputs', 'session-1', 'run_shell_command_______'))).toBe(
      true,
    );
    expect(readFileSync(savedTo, 'utf8')).toHaveLength(500);
  });

  it('makes a directory private that was open to other users', () => {
    const directory = join(temp.path, 'open');
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    limit('x'.repeat(500), { directory });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });
});
