import type { NetDiff } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { plainLook } from '../testing/plain-look.test-helper.js';
import { linesOf } from './lines.js';

const lines = Array.from({ length: 100 }, (_, at) => `+line ${at + 1}`).join('\n');
const LONG: NetDiff = {
  path: '/p/src/long.ts',
  kind: 'created',
  added: 100,
  removed: 0,
  diff: `--- /dev/null\n+++ b/src/long.ts\n@@ -0,0 +1,100 @@\n${lines}\n`,
  isForeign: false,
};
const BINARY: NetDiff = {
  path: '/p/b.png',
  kind: 'changed',
  added: 0,
  removed: 0,
  isBinary: true,
  isForeign: true,
};
const shown = (files: NetDiff[], isWhole: boolean) =>
  linesOf({ type: 'diff', files, cwd: '/p', isWhole }, plainLook(80)).join('\n');

it('draws a heading per file, cuts a long diff and says how to see it, and ends with totals', () => {
  const text = shown([BINARY, LONG], false);
  expect(text).toContain('b.png (binary or large, also changed outside this session)');
  expect(text).toContain('src/long.ts +100 -0 (new file)');
  expect(text).toMatch(/line 60\n… 40 more lines: \/diff <path>/);
  expect(text).toMatch(/\n2 files changed, \+100 -0$/);
});

it('draws the whole diff of a file that was asked for', () => {
  const text = shown([LONG], true);
  expect(text).toContain('line 100');
  expect(text).not.toContain('more lines');
});
