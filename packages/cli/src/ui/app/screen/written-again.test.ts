import { expect, it } from 'vitest';
import { newestLines, writtenAgain } from './written-again.js';

const wide = ['one two three four', 'five six seven eight', 'nine ten'];
const narrow = ['one two', 'three four', 'five six', 'seven eight', 'nine ten'];
const erasedFrom = (first: number) => ({
  erased: wide.slice(first).map((text) => ({ text, block: 1 })),
  source: { draw: () => narrow, kept: () => wide.slice(0, first) },
});

it('a block that was erased as a whole is written as a whole', () => {
  const { erased, source } = erasedFrom(0);
  expect(writtenAgain(erased, source)).toEqual([{ lines: narrow, block: 1 }]);
});

it('of a block that was erased in part, the part is written in its new form', () => {
  const { erased, source } = erasedFrom(1);
  expect(writtenAgain(erased, source)[0]?.lines).toEqual(['five six', 'seven eight', 'nine ten']);
});

it('a block that now says other things is written as a whole', () => {
  const { erased, source } = erasedFrom(1);
  const drawn = ['first: one', ...narrow];
  expect(writtenAgain(erased, { ...source, draw: () => drawn })[0]?.lines).toEqual(drawn);
});

it('lines without a block stay as they are; a block that is gone is left out', () => {
  const erased = [
    { text: 'printed', block: undefined },
    { text: 'withdrawn', block: 4 },
    { text: 'old form', block: 5 },
  ];
  const source = { draw: (block: number) => (block === 5 ? ['new form'] : undefined), kept: () => [] };
  expect(writtenAgain(erased, source)).toEqual([
    { lines: ['printed'], block: undefined },
    { lines: ['new form'], block: 5 },
  ]);
});

it('an empty screen gets the newest lines that fit, and everything from a given block on', () => {
  const newestFirst = [3, 2, 1].map((block) => ({
    block,
    lines: ['a', 'b', 'c'].map((x) => `${block}${x}`),
  }));
  const shown = (...rest: [number, number?]) =>
    newestLines(newestFirst, ...rest).flatMap(({ lines }) => lines);
  expect(shown(4)).toEqual(['2c', '3a', '3b', '3c']);
  expect(shown(2, 2)).toEqual(['2a', '2b', '2c', '3a', '3b', '3c']);
  expect(shown(20)).toHaveLength(9);
});
