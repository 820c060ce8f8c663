import { describe, expect, it } from 'vitest';
import { key } from '../testing/keys.test-helper.js';
import { type RadioItem, type RadioState, radioKey } from './radio-state.js';

const items = (count: number): RadioItem<number>[] =>
  Array.from({ length: count }, (_, at) => ({ value: at, label: `entry ${at + 1}` }));

describe('a list of choices', () => {
  const start: RadioState = { index: 0, typed: '' };
  const after = (count: number, ...chords: string[]) => {
    let state = start;
    let chosen = false;
    for (const chord of chords) {
      const step = radioKey(state, key(chord), items(count));
      if (step) ({ state, chosen } = step);
    }
    return [state.index, chosen] as const;
  };

  it('goes round with arrows, j and k', () => {
    expect(after(3, 'down', 'j', 'down')).toEqual([0, false]);
    expect(after(3, 'k')).toEqual([2, false]);
  });

  it('takes one digit at once where no number is longer', () => {
    expect(after(9, '4')).toEqual([3, true]);
    expect(after(30, '4')).toEqual([3, true]);
  });

  it('waits for the second digit where there may be one', () => {
    expect(after(12, '1')).toEqual([0, false]);
    expect(after(12, '1', '2')).toEqual([11, true]);
    expect(after(12, '1', 'enter')).toEqual([0, true]);
    expect(after(12, '1', '9')).toEqual([0, false]);
    expect(after(12, '0')).toEqual([0, false]);
  });
});
