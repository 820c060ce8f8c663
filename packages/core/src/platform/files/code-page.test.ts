import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeCodePage, encodeCodePage } from './code-page.js';

const SAMPLES: [encoding: string, text: string][] = [
  ['windows-1252', 'Größe: 5 €\nÄnderung für Käufer\n'],
  ['windows-1252', 'café'],
  ['windows-1252', 'ligne modifiée à côté du “fichier” créé par l’éditeur… voilà\n'],
  ['windows-1252', 'año señor ¿qué?\n'],
  ['windows-1252', 'Ä'],
  ['windows-1252', 'grün, à côté, señor'],
  ['windows-1251', 'Привет, мир! Это обычный русский текст.\n'],
  ['gbk', '你好，世界\n'],
  ['gbk', '你好'],
  ['gbk', '中文'],
  ['gbk', '第一行\n第二行\n第三行\n'],
  ['gbk', 'int main() { // 这是一个测试文件，用于检查编码。\n  return 0;\n}\n'],
  ['gbk', '朱镕基\n'],
  ['big5', '繁體中文測試檔案，這是第一行。\n'],
  ['big5', '你好，世界\n'],
  ['shift_jis', 'これは日本語のテストです。\n'],
  ['shift_jis', 'テスト\n'],
  ['shift_jis', '日本語\n'],
  ['euc-jp', 'これは日本語のテストです。\n'],
  ['euc-kr', '안녕하세요, 이것은 한국어 시험 파일입니다.\n'],
  ['euc-kr', '한글'],
];

describe('decodeCodePage', () => {
  it.each(SAMPLES)('recognises %s: %j', async (encoding, text) => {
    const bytes = iconv.encode(text, encoding);
    expect(await decodeCodePage(bytes)).toEqual({ text, encoding });
    expect(await encodeCodePage(text, encoding)).toEqual({ bytes, missing: [] });
  });
});
