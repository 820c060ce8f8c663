/** A one-line edit changes only that line, whatever the encoding and the line ends. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EditTool } from './edit.js';

const withBom = (text: string, encoding: string) => iconv.encode(text, encoding, { addBOM: true });

const ENCODINGS: [name: string, encode: (text: string) => Buffer, letters: string][] = [
  ['UTF-8', (text) => Buffer.from(text), 'grün 日本 😀'],
  ['UTF-8 with BOM', (text) => withBom(text, 'utf8'), 'grün 日本 😀'],
  ['UTF-16LE', (text) => withBom(text, 'utf-16le'), 'grün 日本 😀'],
  ['UTF-16BE', (text) => withBom(text, 'utf-16be'), 'grün 日本 😀'],
  ['UTF-32LE', (text) => withBom(text, 'utf-32le'), 'grün 日本 😀'],
  ['UTF-32BE', (text) => withBom(text, 'utf-32be'), 'grün 日本 😀'],
  ['Latin-1', (text) => iconv.encode(text, 'latin1'), 'grün, à côté, señor'],
  ['windows-1252', (text) => iconv.encode(text, 'windows-1252'), '“grün” – 5 €'],
  ['windows-1251', (text) => iconv.encode(text, 'windows-1251'), 'это обычная строка текста'],
  ['GBK', (text) => iconv.encode(text, 'gbk'), '这是一个测试文件，第二行'],
  ['Big5', (text) => iconv.encode(text, 'big5'), '這是一個測試檔案，第二行'],
  ['Shift_JIS', (text) => iconv.encode(text, 'shift_jis'), 'これは日本語のテストです'],
  ['EUC-JP', (text) => iconv.encode(text, 'euc-jp'), 'これは日本語のテストです'],
  ['EUC-KR', (text) => iconv.encode(text, 'euc-kr'), '이것은 한국어 시험 파일입니다'],
];

const LAYOUTS: [name: string, lines: [text: string, end: string][]][] = [
  [
    'LF',
    [
      ['#', '\n'],
      ['TARGET', '\n'],
      ['#', '\n'],
    ],
  ],
  [
    'CRLF',
    [
      ['#', '\r\n'],
      ['TARGET', '\r\n'],
      ['#', '\r\n'],
    ],
  ],
  [
    'mixed',
    [
      ['#', '\r\n'],
      ['#', '\n'],
      ['TARGET', '\n'],
      ['', '\r\n'],
      ['', '\n'],
      ['#', '\r\n'],
    ],
  ],
  [
    'no final line end',
    [
      ['#', '\r\n'],
      ['#', '\n'],
      ['TARGET', ''],
    ],
  ],
  [
    'lone carriage returns',
    [
      ['#\r#', '\n'],
      ['TARGET', '\r\n'],
      ['#\r', '\r\n'],
    ],
  ],
];

describe('replace', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());

  const cases = ENCODINGS.flatMap(([encoding, encode, letters]) =>
    LAYOUTS.map(([layout, lines]) => ({ encoding, layout, encode, letters, lines })),
  );

  it.each(cases)(
    'keeps every byte outside of the edit in $encoding, $layout',
    async ({ encode, letters, lines }) => {
      const build = (line: string) =>
        encode(
          lines.map(([text, end]) => text.replaceAll('#', letters).replace('TARGET', line) + end).join(''),
        );
      const file = join(dir.path, 'file.txt');
      writeFileSync(file, build(`value ${letters}`));
      const tool = new EditTool(makeHost(dir.path), makeBus());
      const change = {
        file_path: 'file.txt',
        old_string: `value ${letters}`,
        new_string: `${letters} changed`,
      };
      const result = await tool.build(change).execute(new AbortController().signal);
      expect(result.error).toBeUndefined();
      expect(readFileSync(file).toString('hex')).toBe(build(`${letters} changed`).toString('hex'));
    },
  );
});
