import { describe, expect, it } from 'vitest';
import { decodeOutput, isBinaryOutput, withoutCutStart } from './shell-text.js';

describe('isBinaryOutput', () => {
  it.each([
    ['plain text', Buffer.from('hello\nworld\n')],
    ['names separated by NUL', Buffer.from('a.txt\0b/ü.txt\0')],
    ['colours', Buffer.from('\x1b[31mred\x1b[0m')],
    ['UTF-16 with a mark', Buffer.from('\uFEFFHello', 'utf16le')],
    ['UTF-16 without', Buffer.from('Hello, world', 'utf16le')],
    ['Latin-1', Buffer.from('caf\xe9', 'latin1')],
    ['UTF-8 cut at the sniffed length', Buffer.from(`${'\0'}${'x'.repeat(4093)}üü`)],
    ['nothing', Buffer.alloc(0)],
  ])('is false for %s', (_name, bytes) => {
    expect(isBinaryOutput(bytes)).toBe(false);
  });

  it.each([
    ['zeros', Buffer.alloc(5000)],
    ['an executable', Buffer.from('7f454c460201010000000000000000000300', 'hex')],
    ['a compressed file', Buffer.from('1f8b0800000000000003cb48cdc9c95728cf2fca4901', 'hex')],
    ['control characters', Buffer.alloc(100, 3)],
  ])('is true for %s', (_name, bytes) => {
    expect(isBinaryOutput(bytes)).toBe(true);
  });
});

describe('decodeOutput', () => {
  it.each([
    ['UTF-8', Buffer.from('grün ✓')],
    ['UTF-16LE', Buffer.from('grün ✓ and more words', 'utf16le')],
    ['UTF-16BE', Buffer.from('grün ✓ and more words', 'utf16le').swap16()],
  ])('reads %s', async (_name, bytes) => {
    expect(await decodeOutput(bytes)).toMatch(/^grün ✓/);
  });

  it('reads a western code page, up to its last byte', async () => {
    expect(await decodeOutput(Buffer.from('un caf\xe9', 'latin1'))).toBe('un café');
  });

  it('keeps UTF-8 when only some bytes are broken', async () => {
    const bytes = Buffer.concat([Buffer.from('größer, schöner '), Buffer.from([0xff]), Buffer.from(' ä')]);
    expect(await decodeOutput(bytes)).toBe('größer, schöner \uFFFD ä');
  });

  it('drops half a character at the start', () => {
    expect(withoutCutStart(Buffer.from('€uro').subarray(1)).toString()).toBe('uro');
  });
});
