import { describe, expect, it } from 'vitest';
import { readRequest } from './params.js';
import { findUrls, uniqueUrls } from './urls.js';

const urlsIn = (text: string) => findUrls(text).found.map(({ url }) => url.href);

describe('URLs in a text', () => {
  it.each([
    ['see https://a.example/x.', ['https://a.example/x']],
    ['(https://a.example/x), "http://b.example"!', ['https://a.example/x', 'http://b.example/']],
    [
      '[text](https://a.example/x?y=1#z) and <https://b.example/>',
      ['https://a.example/x?y=1#z', 'https://b.example/'],
    ],
    ['https://en.wikipedia.org/wiki/C_(language)', ['https://en.wikipedia.org/wiki/C_(language)']],
    [
      'https://a.example,https://b.example;http://c.example',
      ['https://a.example/', 'https://b.example/', 'http://c.example/'],
    ],
    ['阅读https://a.example/页。谢谢', ['https://a.example/%E9%A1%B5']],
    ['HTTPS://A.Example:443/X', ['https://a.example/X']],
    ['`https://a.example/x` *https://b.example/y*', ['https://a.example/x', 'https://b.example/y']],
    ['no address here: a/b, c://', []],
  ])('are found in %j', (text, expected) => {
    expect(urlsIn(text)).toEqual(expected);
  });

  it('are replaced by the plain text for files on GitHub', () => {
    expect(
      urlsIn('https://github.com/o/r/blob/main/src/a.ts?raw=1#L3 https://www.github.com/o/r/blob/v1/b'),
    ).toEqual([
      'https://raw.githubusercontent.com/o/r/main/src/a.ts',
      'https://raw.githubusercontent.com/o/r/v1/b',
    ]);
    const others = [
      'https://github.com/o/r/',
      'https://github.com/o/r/tree/main',
      'https://github.example/o/r/blob/m/a',
    ];
    expect(urlsIn(others.join(' '))).toEqual(others);
  });

  it('are named when they cannot be fetched', () => {
    const { found, malformed } = findUrls(
      'ftp://a.example http:// ://x https://u:p@b.example file:///etc/passwd http://[::g]',
    );
    expect(found).toEqual([]);
    expect(malformed).toHaveLength(6);
    expect(malformed.join('\n')).not.toContain('u:p');
  });

  it('are found quickly, however long they are', () => {
    for (const text of [
      'a'.repeat(500_000),
      `${'a:'.repeat(250_000)}//x`,
      `https://x/${')'.repeat(500_000)}`,
    ]) {
      expect(findUrls(text).found).toEqual([]);
    }
  });

  it('count once when they mean the same page, in the order of the text', () => {
    const urls = [
      'https://A.example:443/x/',
      'http://b.example',
      'https://a.example/x#part',
      'http://b.example/',
    ];
    expect(uniqueUrls(urls.map((url) => new URL(url))).map(String)).toEqual([
      'https://a.example/x/',
      'http://b.example/',
    ]);
  });
});

describe('parameters', () => {
  const problem = (params: { prompt?: string; url?: string }) => {
    const request = readRequest(params);
    return 'problem' in request ? request.problem : undefined;
  };
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://a.example/${index}`).join(' ');

  it.each([
    [{}, 'cannot be empty'],
    [{ prompt: ' \n' }, 'cannot be empty'],
    [{ prompt: 'summarise example.com' }, 'at least one valid URL'],
    [{ prompt: 'read https://a.example and ftp://b.example' }, 'ftp://b.example'],
    [{ url: 'not a url' }, "'url' parameter"],
    [{ url: 'ftp://a.example' }, 'only http and https'],
    [{ url: 'https://u:p@a.example' }, 'no user name'],
    [{ prompt: many(21) }, '21 URLs'],
  ])('are refused: %o', (params, expected) => {
    expect(problem(params)).toContain(expected);
  });

  it('may be a prompt, a URL or both', () => {
    expect(problem({ prompt: `${many(20)} ${many(20)}` })).toBeUndefined();
    expect(readRequest({ url: ' https://a.example ' })).toMatchObject({
      hasPrompt: false,
      text: 'https://a.example',
    });
    expect(readRequest({ prompt: 'the title?', url: 'https://a.example/x' })).toMatchObject({
      hasPrompt: true,
      text: 'the title?\n\nhttps://a.example/x',
    });
    const both = readRequest({ prompt: 'https://a.example/xy', url: 'https://a.example/x' });
    expect(both).toMatchObject({ urls: [{ pathname: '/xy' }, { pathname: '/x' }] });
  });
});
