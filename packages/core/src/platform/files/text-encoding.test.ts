import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from './text-encoding.js';

const TEXT = 'Zeile ä 日本 😀\r\nnext\n';

const MARKED: [encoding: string, mark: number[], body: Buffer][] = [
  ['utf-8', [0xef, 0xbb, 0xbf], Buffer.from(TEXT)],
  ['utf-16le', [0xff, 0xfe], Buffer.from(TEXT, 'utf16le')],
  ['utf-16be', [0xfe, 0xff], Buffer.from(TEXT, 'utf16le').swap16()],
  ['utf-32le', [0xff, 0xfe, 0, 0], iconv.encode(TEXT, 'utf-32le')],
  ['utf-32be', [0, 0, 0xfe, 0xff], iconv.encode(TEXT, 'utf-32be')],
];

describe('decodeText and encodeText', () => {
  it.each(MARKED)('recognise %s by its mark and write it back', async (encoding, mark, body) => {
    const bytes = Buffer.concat([Buffer.from(mark), body]);
    const format = { encoding, bom: true };
    expect(await decodeText(bytes)).toEqual({ text: TEXT, format });
    expect((await encodeText(TEXT, format)).equals(bytes)).toBe(true);
    expect((await encodeText(`\uFEFF${TEXT}`, format)).equals(bytes)).toBe(true);
  });

  it('read text without a mark as UTF-8', async () => {
    expect(await decodeText(Buffer.from(TEXT))).toEqual({
      text: TEXT,
      format: { encoding: 'utf-8', bom: false },
    });
    expect(await decodeText(Buffer.alloc(0))).toEqual({
      text: '',
      format: { encoding: 'utf-8', bom: false },
    });
  });

  it('read files that consist of the mark only', async () => {
    for (const [encoding, mark] of MARKED) {
      expect(await decodeText(Buffer.from(mark))).toEqual({ text: '', format: { encoding, bom: true } });
    }
  });

  it('keep unpaired surrogates of UTF-16', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]);
    const decoded = await decodeText(bytes);
    expect(decoded?.text).toBe('\uD800A');
    expect((await encodeText(decoded?.text ?? '', { encoding: 'utf-16le', bom: true })).equals(bytes)).toBe(
      true,
    );
  });

  it('read bytes after a UTF-8 mark that are not UTF-8 as a code page, losing none', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x63, 0x61, 0x66, 0xe9, 0x0a]);
    const decoded = await decodeText(bytes);
    expect(decoded?.format).toEqual({ encoding: 'windows-1252', bom: false });
    expect(
      (await encodeText(decoded?.text ?? '', { encoding: 'windows-1252', bom: false })).equals(bytes),
    ).toBe(true);
  });

  it.each([
    ['a NUL byte', Buffer.from('ab\0cd')],
    ['mostly control characters', Buffer.from([1, 2, 3, 4, 65, 66])],
    ['a PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])],
    ['UTF-16 of odd length', Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x42])],
    ['UTF-32 beyond Unicode', Buffer.from([0, 0, 0xfe, 0xff, 0, 0x11, 0, 0])],
    ['bytes undefined in every code page', Buffer.from([0x63, 0xff, 0x81, 0x20, 0x8d, 0x20])],
    [
      'compressed data without NUL',
      Buffer.from([0x78, 0x9c, 0xcb, 0x48, 0xcd, 0xc9, 0x01, 0x06, 0xf0, 0x15]),
    ],
  ])('call %s binary', async (_what, bytes) => {
    expect(await decodeText(bytes)).toBeUndefined();
  });

  it('refuse characters that the code page lacks, naming them', async () => {
    await expect(encodeText('café → 日', { encoding: 'windows-1252', bom: false })).rejects.toMatchObject({
      problem: 'unencodable',
      message: expect.stringContaining('windows-1252, which lacks: → 日'),
    });
  });
});
