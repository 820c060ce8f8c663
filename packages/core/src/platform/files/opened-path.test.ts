import { closeSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOpenedAt, isStillAt } from './opened-path.js';

let dir: ReturnType<typeof tempDir>;
const at = (...names: string[]) => join(dir.path, ...names);

beforeEach(() => {
  dir = tempDir('opened-path-');
  for (const folder of ['inside', 'outside']) {
    mkdirSync(at(folder));
    writeFileSync(at(folder, 'file'), folder);
  }
});
afterEach(() => dir.cleanup());

function judge(check: typeof isOpenedAt, beforeOpen: () => void, afterOpen: () => void = () => undefined) {
  beforeOpen();
  const descriptor = openSync(at('inside', 'file'), 'r');
  try {
    afterOpen();
    return check(descriptor, at('inside', 'file'));
  } finally {
    closeSync(descriptor);
  }
}

function swap(): void {
  renameSync(at('inside'), at('moved'));
  symlinkSync('outside', at('inside'));
}

function swapBack(): void {
  rmSync(at('inside'));
  renameSync(at('moved'), at('inside'));
}

describe.each([
  ['where the system tells what is open', isOpenedAt],
  ['where it does not', isStillAt],
])('an open file, %s,', (_where, check) => {
  it('is at its path when nothing happened', () => {
    expect(judge(check, () => undefined)).toBe(true);
  });

  it('is not at its path when a folder of it was replaced by a link before', () => {
    expect(judge(check, swap)).toBe(false);
  });

  it('is not at its path when the link was replaced again right after opening', () => {
    expect(judge(check, swap, swapBack)).toBe(false);
  });
});
