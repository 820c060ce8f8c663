import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PathWalker } from './kernel-path.js';
import { realPathOf } from './real-path.js';

const dir = tempDir();
const root = realpathSync(dir.path);
const at = (...names: string[]) => join(root, ...names);
const walk = (path: string, base = at('in')) => new PathWalker().walk(path, base);

beforeAll(() => {
  mkdirSync(at('in/a/b'), { recursive: true });
  mkdirSync(at('out/deep'), { recursive: true });
  writeFileSync(at('in/file'), '');
  writeFileSync(at('out/secret'), '');
  symlinkSync(at('out/deep'), at('in/absolute'));
  symlinkSync('../out/deep', at('in/relative'));
  symlinkSync('absolute', at('in/twice'));
  symlinkSync('a/b/../../relative/..', at('in/dotted'));
  symlinkSync('..', at('in/a/up'));
  symlinkSync('relative/../new', at('in/dangling'));
  symlinkSync('ring2', at('in/ring1'));
  symlinkSync('ring1', at('in/ring2'));
  symlinkSync('file', at('in/to-file'));
  symlinkSync('/proc/self/cwd', at('in/process'));
});
afterAll(() => dir.cleanup());

describe('a path with links', () => {
  it.each([
    ['absolute/../secret', 'out/secret'],
    ['relative/../secret', 'out/secret'],
    ['twice/../secret', 'out/secret'],
    ['./relative/./..//secret', 'out/secret'],
    ['dotted/secret', 'out/secret'],
    ['a/up/relative/../secret', 'out/secret'],
    ['a/b/../up/../out', 'out'],
    ['relative/../../in/file', 'in/file'],
    ['relative/', 'out/deep'],
    ['relative/..', 'out'],
    ['relative/../deep/..', 'out'],
    ['a/../file', 'in/file'],
    ['to-file', 'in/file'],
    ['relative/new/file', 'out/deep/new/file'],
    ['dangling', 'out/new'],
    ['../../../../../../../../../../..', '/'],
    ['', 'in'],
  ])('%j leads to %s', (path, expected) => {
    const real = expected === '/' ? '/' : at(expected);
    expect(walk(path)).toEqual({ path: real, certainty: 'certain' });
    expect(walk(`${at('in')}/${path}`, '/')).toEqual({ path: real, certainty: 'certain' });
  });

  it('is guessed after a part that is not a folder', () => {
    for (const path of ['missing/../x', 'file/../x', 'to-file/..', 'a/missing/../../x'])
      expect(walk(path).certainty).toBe('guessed');
    expect(walk('../x', at('in/missing')).certainty).toBe('guessed');
  });

  it('is unknown in a loop of links or below /proc', () => {
    for (const path of [
      'ring1',
      'ring1/../x',
      'process/../x',
      '/proc/self/cwd/x',
      '/proc/1/root',
      '/dev/stdin',
    ])
      expect(walk(path).certainty).toBe('unknown');
  });

  it('resolves as the kernel does, for 5,000 random paths', () => {
    const parts = [
      'a',
      'b',
      '..',
      '.',
      '',
      'up',
      'absolute',
      'relative',
      'twice',
      'dotted',
      'deep',
      'in',
      'out',
      'file',
    ];
    let seed = 7;
    const next = (limit: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return seed % limit;
    };
    let compared = 0;
    for (let run = 0; run < 5_000; run++) {
      const path = Array.from({ length: 1 + next(7) }, () => parts[next(parts.length)]).join('/') || '.';
      const raw = `${at('in')}/${path}`;
      if (!existsSync(raw)) continue;
      compared++;
      expect([path, walk(raw, '/').path]).toEqual([path, realpathSync.native(raw)]);
    }
    expect(compared).toBeGreaterThan(500);
  });
});

it('realPathOf follows the links in the target of a link before its dots', () => {
  expect(realPathOf(at('in/dangling'))).toBe(at('out/new'));
});
