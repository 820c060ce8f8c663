import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { pageText } from './page-text.js';

const textOf = (bytes: Buffer | string, contentType?: string) =>
  pageText(
    {
      url: new URL('https://a.example/'),
      status: 200,
      statusText: 'OK',
      headers: contentType === undefined ? {} : { 'content-type': contentType },
      bytes: Buffer.from(bytes),
      truncated: false,
    },
    false,
  );

describe('character sets', () => {
  it.each([
    [
      'header',
      iconv.encode('naïve “café”', 'windows-1252'),
      'text/plain; charset=ISO-8859-1',
      'naïve “café”',
    ],
    ['header', iconv.encode('中文网页', 'gbk'), 'text/plain;charset="GB2312"', '中文网页'],
    ['header', iconv.encode('日本語', 'shift_jis'), 'text/plain; charset=Shift_JIS', '日本語'],
    ['meta', iconv.encode('<meta charset=gbk><p>中文网页', 'gbk'), 'text/html', '中文网页'],
    [
      'old meta',
      iconv.encode('<meta http-equiv=Content-Type content="text/html; charset=koi8-r"><p>кот', 'koi8-r'),
      'text/html',
      'кот',
    ],
    ['mark', iconv.encode('é', 'utf-16le', { addBOM: true }), 'text/plain', 'é'],
    ['mark before header', Buffer.from('\uFEFFé'), 'text/plain; charset=latin1', 'é'],
    ['nothing', Buffer.from('é ünïcode'), 'text/plain', 'é ünïcode'],
    ['an unknown name', Buffer.from('é'), 'text/plain; charset=x-nonsense', 'é'],
    ['XML', iconv.encode('<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>', 'latin1'), 'text/xml', 'é'],
  ])('are recognised by %s', async (_how, bytes, contentType, expected) => {
    expect(await textOf(bytes, contentType)).toContain(expected);
  });

  it('are guessed when a page does not declare one', async () => {
    const text = '今天的天气很好，我们一起去公园散步，然后在湖边吃午饭。'.repeat(5);
    expect(await textOf(iconv.encode(text, 'gbk'), 'text/plain')).toBe(text);
  });
});

describe('content types', () => {
  it.each([
    'text/markdown',
    'application/json',
    'application/ld+json; charset=utf-8',
    'image/svg+xml',
    'application/javascript',
    'application/octet-stream',
    undefined,
  ])('count as text: %s', async (contentType) => {
    expect(await textOf('{"a": 1}', contentType)).toBe('{"a": 1}');
  });

  it.each([
    ['image/png', 'x'],
    ['application/zip', 'x'],
    ['application/octet-stream', 'a\0b'],
    [undefined, '\0\0\0'],
  ])('do not count as text: %s', async (contentType, body) => {
    expect(await textOf(body, contentType)).toBeUndefined();
  });

  it('are not needed to recognise HTML', async () => {
    expect(await textOf('<!doctype html><p>a<script>b</script>')).toBe('a');
  });
});
