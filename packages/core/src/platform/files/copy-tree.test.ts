import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyTree } from './copy-tree.js';

describe('copyTree', () => {
  let dir: { path: string; cleanup: () => void };
  const from = (...names: string[]) => join(dir.path, 'from', ...names);
  const to = (...names: string[]) => join(dir.path, 'to', ...names);
  const copy = (limits = { maxFiles: 10, maxBytes: 1024 * 1024 }) =>
    copyTree(from(), to(), { what: 'thing', ...limits, refuse: (message) => new TypeError(message) });
  beforeEach(() => {
    dir = tempDir();
    mkdirSync(from('sub'), { recursive: true });
    writeFileSync(from('sub', 'a.txt'), 'content');
  });
  afterEach(() => dir.cleanup());

  it.each([
    ['a relative path', 'sub/a.txt'],
    ['a path through the folder around it', '../from/sub/a.txt'],
  ])('keeps a link inside, given as %s, and leads it to the copy', (_, target) => {
    symlinkSync(target, from('link'));
    copy();
    expect(readlinkSync(to('link'))).toBe('sub/a.txt');
    expect(readFileSync(to('link'), 'utf8')).toBe('content');
  });

  it('leads an absolute link inside to the copy', () => {
    symlinkSync(from('sub'), from('link'));
    copy();
    expect(readlinkSync(to('link'))).toBe('sub');
  });

  it.each(['/etc/passwd', '../other', 'loop'])(
    'refuses a link that leaves the folder or leads nowhere: %s',
    (target) => {
      symlinkSync(target, from('loop'));
      expect(() => copy()).toThrow('loop is a link that leaves the thing. Replace it by a copy.');
    },
  );

  it('ends at its limits', () => {
    expect(() => copy({ maxFiles: 1, maxBytes: 1024 * 1024 })).toThrow(
      'is too large for a thing: over 1 files or 1 MB.',
    );
    writeFileSync(join(from(), 'b.bin'), Buffer.alloc(1024 * 1024));
    expect(() =>
      copyTree(from(), join(dir.path, 'other'), {
        what: 'thing',
        maxFiles: 10,
        maxBytes: 1024 * 1024,
        refuse: (message) => new TypeError(message),
      }),
    ).toThrow(TypeError);
  });
});
