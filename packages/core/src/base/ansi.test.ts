import { describe, expect, it } from 'vitest';
import { AnsiStripper, cleanTerminalText } from './ansi.js';

const COLOURED =
  'a\x1b[1;31mred\x1b[0m\x1b]0;title\x07b\x1b]8;;http://x\x1b\\link\x1bP1$q\x1b\\\x1b(Bc\x1b7\x08\x9b\n\t\r\n';

describe('cleanTerminalText', () => {
  it('keeps only visible text', () => {
    expect(cleanTerminalText(COLOURED)).toBe('aredblinkc\n\t\r\n');
  });

  it('separates words at a NUL', () => {
    expect(cleanTerminalText('a.txt\0b.txt\0')).toBe('a.txt␀b.txt␀');
  });

  it('cleans a long text as it does a short one, with and without lines', () => {
    const lines = '\x1b[32mline\x1b[0m\n'.repeat(100_000);
    expect(cleanTerminalText(lines)).toBe('line\n'.repeat(100_000));
    expect(cleanTerminalText(`${'x'.repeat(2_000_000)}\x1b[0m`)).toBe('x'.repeat(2_000_000));
  });
});

describe('AnsiStripper', () => {
  it('gives the same text wherever the stream is cut', () => {
    for (let cut = 0; cut <= COLOURED.length; cut++) {
      const stripper = new AnsiStripper();
      expect(stripper.push(COLOURED.slice(0, cut)) + stripper.push(COLOURED.slice(cut))).toBe(
        'aredblinkc\n\t\r\n',
      );
    }
  });

  it('does not wait for ever for the end of a sequence', () => {
    const stripper = new AnsiStripper();
    expect(stripper.push(`\x1b[${'1;'.repeat(3000)}`)).not.toBe('');
  });
});
