import { describe, expect, it } from 'vitest';
import { safeLine } from './output.js';

describe('a line on stderr', () => {
  it.each([
    [
      'colours, titles, links and the clipboard',
      '\u001b[31mx\u001b]0;t\u0007\u001b]8;;u\u001b\\y\u001b]52;c;AA\u0007',
    ],
    ['moves of the cursor', 'x\u001b[1A\u001b[2K\u009b10Dy'],
    ['characters that reorder or hide', 'x\u202e\u2066\u200b\u{e0041}y'],
  ])('has no %s', (_what, line) => {
    expect(safeLine(line)).toBe('xy');
  });

  it('keeps only the colour of errors', () => {
    expect(safeLine('\u001b[31mbad\u001b[1Aname\u001b[0m')).toBe('\u001b[31mbadname\u001b[0m');
  });

  it('may be a stack trace of several lines', () => {
    expect(safeLine('Error: a\n    at b')).toBe('Error: a\n    at b');
  });
});
