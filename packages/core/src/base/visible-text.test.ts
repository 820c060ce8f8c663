import { describe, expect, it } from 'vitest';
import { deceptiveHosts, visibleName, visibleText, visibleValue, visibleWithHosts } from './visible-text.js';

describe('visibleText', () => {
  it.each([
    ['a zero-width space', 'rm\u200b -rf', 'rm\\u{200B} -rf'],
    ['bidi overrides', 'a\u202etxt.exe\u202c', 'a\\u{202E}txt.exe\\u{202C}'],
    ['bidi isolates', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['tag characters', 'ls\u{e0072}\u{e006d}', 'ls\\u{E0072}\\u{E006D}'],
    ['variation selectors', 'a\ufe0eb\u{e0101}', 'a\\u{FE0E}b\\u{E0101}'],
    ['escape sequences', '\u001b[2Jx\u009b1A', '\\u{1B}[2Jx\\u{9B}1A'],
    ['a carriage return', 'rm -rf /\rls', 'rm -rf /\\rls'],
    ['backspaces', 'rm\b\bls', 'rm\\u{08}\\u{08}ls'],
    ['spaces that are none', 'a\u00a0b\u3000c', 'a\\u{A0}b\\u{3000}c'],
    ['fillers', 'x\u3164\u115f\uffa0\u2800', 'x\\u{3164}\\u{115F}\\u{FFA0}\\u{2800}'],
    ['soft hyphens and marks', 'c\u00adu\u034frl\ufeff', 'c\\u{AD}u\\u{34F}rl\\u{FEFF}'],
    ['line separators', 'a\u2028b', 'a\\u{2028}b'],
    ['half a character', 'a\ud800b', 'a\\u{D800}b'],
  ])('shows %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each(['git commit -m "x"\n\tsecond line', 'naïve über 日本語 العربية हिन्दी', '👩‍💻 ❤️ 👍🏽 🏳️‍🌈 1️⃣ ✅'])(
    'keeps visible text: %j',
    (text) => {
      expect(visibleText(text)).toBe(text);
    },
  );

  it('keeps a name on one line', () => {
    expect(visibleName('a\nb\t\u202ec')).toBe('a\\nb\\t\\u{202E}c');
  });

  it('changes all strings of a value, down to a maximum depth', () => {
    expect(visibleValue({ 'k\u200b': ['\u202e', { n: 1, z: null }] })).toEqual({
      'k\\u{200B}': ['\\u{202E}', { n: 1, z: null }],
    });
    let deep: unknown = 'end';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(JSON.stringify(visibleValue(deep))).toContain('…');
  });
});

describe('visibleWithHosts', () => {
  it.each([
    ['https://аpple.com/login', 'https://аpple.com/login (host: xn--pple-43d.com)'],
    ['https://xn--pple-43d.com/', 'https://xn--pple-43d.com/ (host: xn--pple-43d.com)'],
    ['https://google.com@evil.example/x', 'https://google.com@evil.example/x (host: evil.example)'],
    [
      'see http://bücher.example:8080 now',
      'see http://bücher.example:8080 (host: xn--bcher-kva.example:8080) now',
    ],
    ['https://0x7f.1/', 'https://0x7f.1/ (host: 127.0.0.1)'],
    ['https://google.com\\@evil.example', 'https://google.com\\@evil.example'],
    ['https://a\u200b.com/', 'https://a\\u{200B}.com/ (host: a.com)'],
  ])('names the host of %s', (text, shown) => {
    expect(visibleWithHosts(text)).toBe(shown);
  });

  it.each([
    'https://Example.com:443/a?b#c',
    'http://localhost:3000 and https://user-pages.example/~x',
    'no address at all, not even http://',
  ])('keeps plain URLs: %s', (text) => {
    expect(visibleWithHosts(text)).toBe(text);
  });
});

it('deceptiveHosts returns the real hosts of misleading URLs only', () => {
  const text =
    'https://example.com/a https://g\u043e\u043egle.com https://google.com@evil.example/x http://localhost:80';
  expect(deceptiveHosts(text)).toEqual(['xn--ggle-55da.com', 'evil.example']);
});
