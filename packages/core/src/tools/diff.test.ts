import { describe, expect, it } from 'vitest';
import { changeSnippet, diffStat, unifiedDiff } from './diff.js';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('unifiedDiff', () => {
  it('shows three lines around a change, with labels', async () => {
    const before = numbered(10);
    const diff = await unifiedDiff('a.txt', before, before.replace('line 5', 'LINE 5'), {
      before: 'Current',
      after: 'Proposed',
    });
    expect(diff.split('\n')).toEqual([
      'Index: a.txt',
      '===================================================================',
      '--- a.txt\tCurrent',
      '+++ a.txt\tProposed',
      '@@ -2,7 +2,7 @@',
      ' line 2',
      ' line 3',
      ' line 4',
      '-line 5',
      '+LINE 5',
      ' line 6',
      ' line 7',
      ' line 8',
      '',
    ]);
  });

  it('compares large texts without anything in common quickly', async () => {
    const random = (seed: number) =>
      Array.from({ length: 40_000 }, (_, line) => `${(line * 7919 + seed) % 65_537}`).join('\n');
    const diff = await unifiedDiff('a', `same\n${random(1)}`, `same\n${random(5)}x\n`, {
      before: 'a',
      after: 'b',
    });
    expect(diff).toContain('\n same\n');
    expect(diff).toContain('\\ No newline at end of file');
  });
});

describe('changeSnippet', () => {
  it('shows five lines around each change and marks gaps', async () => {
    const before = numbered(40);
    const after = before.replace('line 2\n', 'second\n').replace('line 30\n', '');
    expect((await changeSnippet(before, after)).split('\n')).toEqual([
      'line 1',
      'second',
      ...[3, 4, 5, 6, 7].map((line) => `line ${line}`),
      '...',
      ...[25, 26, 27, 28, 29, 31, 32, 33, 34, 35].map((line) => `line ${line}`),
      '...',
    ]);
  });

  it('cuts very long lines', async () => {
    expect(await changeSnippet('a', 'b'.repeat(3000))).toBe(`${'b'.repeat(2000)}... [truncated]`);
  });

  it('has no marks where nothing is left out', async () => {
    expect(await changeSnippet('a\nb\n', 'a\nc')).toBe('a\nc');
    expect(await changeSnippet('a\n', 'a\n')).toBe('');
  });
});

describe('diffStat', () => {
  it('counts what the model and what the user changed', async () => {
    expect(await diffStat('a\nb\n', 'a\nBB\nc\n', 'a\nBB\n')).toEqual({
      model_added_lines: 2,
      model_removed_lines: 1,
      model_added_chars: 3,
      model_removed_chars: 1,
      user_added_lines: 0,
      user_removed_lines: 1,
      user_added_chars: 0,
      user_removed_chars: 1,
    });
  });
});
