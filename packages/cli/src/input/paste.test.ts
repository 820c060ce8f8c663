import { describe, expect, it } from 'vitest';
import { parseAtReferences } from './at-parse.js';
import {
  atReference,
  droppedReferences,
  escapePastedAtSymbols,
  type PasteSurroundings,
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
const surroundings: PasteSurroundings = {
  cwd: '/w',
  home: '/home/me',
  isFile: (path) => FILES.includes(path),
  escapeAt: false,
  platform: 'linux',
};

describe('dropped files', () => {
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
    // One file that is no image is a path somebody writes about.
    ['/w/notes.txt', undefined],
    ['/w/missing.png', undefined],
    ['/w/a.png and /w/notes.txt', undefined],
    ['a.png', undefined],
    ['look at /w/a.png', undefined],
    ["/w/it's.png", "@it\\'s.png "],
    ["don't", undefined],
    ['', undefined],
  ])('%j -> %j', (text, expected) => expect(droppedReferences(text, surroundings)).toBe(expected));

  it('are read back as the same path', () => {
    for (const path of ['/w/my photo (1).JPG', "/w/it's, {odd}!.png", '/w/a"b\\c@d.png']) {
      const [segment] = parseAtReferences(atReference(path, { cwd: '/', platform: 'linux' }), {
        keepEscapes: false,
      });
      expect(segment).toMatchObject({ kind: 'reference', path: path.slice(1) });
    }
  });

  it('keep the paths of Windows whole', () => {
    const isFile = (path: string) => path === 'C:\\Users\\me\\a b.png';
    const windows: PasteSurroundings = { ...surroundings, cwd: 'D:\\x', platform: 'win32', isFile };
    expect(droppedReferences('"C:\\Users\\me\\a b.png"', windows)).toBe('@C:/Users/me/a\\ b.png ');
    expect(droppedReferences('C:\\Users\\me\\a b.png', windows)).toBe('@C:/Users/me/a\\ b.png ');
  });

  it('do not take long texts apart', () => {
    expect(droppedReferences('/w/a.png '.repeat(10_000), surroundings)).toBeUndefined();
    expect(droppedReferences('/w/a.png '.repeat(101), surroundings)).toBeUndefined();
  });
});

it('protects every @ once', () => {
  expect(escapePastedAtSymbols('@a \\@b me@c \\\\@d')).toBe('\\@a \\@b me\\@c \\\\\\@d');
  expect(preparePaste('mail @me', { ...surroundings, escapeAt: true })).toBe('mail \\@me');
  expect(preparePaste('mail @me', surroundings)).toBe('mail @me');
  expect(preparePaste('/w/a.png', { ...surroundings, escapeAt: true })).toBe('@a.png ');
});
