import { describe, expect, it } from 'vitest';
import { parseAtReferences } from './at-parse.js';
import {
  atReference,
  droppedReferences,
  escapePastedAtSymbols,
  type PasteOptions,
  preparePaste,
} from './paste.js';

const FILES = [
  '/w/a.png',
  '/w/my photo (1).JPG',
  '/w/notes.txt',
  '/else/b.webp',
  '/home/me/c.heic',
  "/w/it's.png",
];
const options: PasteOptions = {
  cwd: '/w',
  home: '/home/me',
  isFile: (path) => FILES.includes(path),
  escapeAt: false,
  platform: 'linux',
};

describe('droppedReferences', () => {
  it.each<[string, string | undefined]>([
    ['/w/a.png', '@a.png '],
    ['/w/a.png\n', '@a.png '],
    ["'/w/a.png'", '@a.png '],
    ['"/w/my photo (1).JPG"', '@my\\ photo\\ \\(1\\).JPG '],
    ['/w/my\\ photo\\ \\(1\\).JPG', '@my\\ photo\\ \\(1\\).JPG '],
    ['/w/my photo (1).JPG', '@my\\ photo\\ \\(1\\).JPG '],
    ['file:///w/my%20photo%20(1).JPG', '@my\\ photo\\ \\(1\\).JPG '],
    ['/else/b.webp', '@/else/b.webp '],
    ['~/c.heic', '@/home/me/c.heic '],
    ["/w/it\\'s.png", "@it\\'s.png "],
    ['/w/a.png /w/notes.txt', '@a.png @notes.txt '],
    ['/w/a.png\n/else/b.webp\n', '@a.png @/else/b.webp '],
    // A single file that is not an image is a path the user writes about.
    ['/w/notes.txt', undefined],
    ['/w/missing.png', undefined],
    ['/w/a.png and /w/notes.txt', undefined],
    ['a.png', undefined],
    ['look at /w/a.png', undefined],
    ["/w/it's.png", "@it\\'s.png "],
    ["don't", undefined],
    ['', undefined],
  ])('turns %j into %j', (text, expected) => expect(droppedReferences(text, options)).toBe(expected));

  it('writes references that are parsed as the same path', () => {
    for (const path of ['/w/my photo (1).JPG', "/w/it's, {odd}!.png", '/w/a"b\\c@d.png']) {
      const [segment] = parseAtReferences(atReference(path, { cwd: '/', platform: 'linux' }), {
        keepEscapes: false,
      });
      expect(segment).toMatchObject({ kind: 'reference', path: path.slice(1) });
    }
  });

  it('keeps Windows paths whole', () => {
    const isFile = (path: string) => path === 'C:\\Users\\me\\a b.png';
    const windows: PasteOptions = { ...options, cwd: 'D:\\x', platform: 'win32', isFile };
    expect(droppedReferences('"C:\\Users\\me\\a b.png"', windows)).toBe('@C:/Users/me/a\\ b.png ');
    expect(droppedReferences('C:\\Users\\me\\a b.png', windows)).toBe('@C:/Users/me/a\\ b.png ');
  });

  it('does not parse long texts', () => {
    expect(droppedReferences('/w/a.png '.repeat(10_000), options)).toBeUndefined();
    expect(droppedReferences('/w/a.png '.repeat(101), options)).toBeUndefined();
  });
});

it('preparePaste escapes every @ once', () => {
  expect(escapePastedAtSymbols('@a \\@b me@c \\\\@d')).toBe('\\@a \\@b me\\@c \\\\\\@d');
  expect(preparePaste('mail @me', { ...options, escapeAt: true })).toBe('mail \\@me');
  expect(preparePaste('mail @me', options)).toBe('mail @me');
  expect(preparePaste('/w/a.png', { ...options, escapeAt: true })).toBe('@a.png ');
});
