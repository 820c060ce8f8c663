import { describe, expect, it } from 'vitest';
import { applyEdits, carryLineEnds, toLf } from './line-ends.js';

/** Replaces the only occurrence of `find` in the LF form of `raw`. */
async function edited(raw: string, find: string, text: string): Promise<string> {
  const start = toLf(raw).indexOf(find);
  return applyEdits(raw, [{ start, end: start + find.length, text }]);
}

describe('applyEdits', () => {
  it('leaves every byte outside the edit as it is', async () => {
    const raw = 'one\r\ntwo\nthree\r\n\n\r\nfour\rstill four\r\r\nfive';
    expect(await edited(raw, 'two', 'TWO')).toBe('one\r\nTWO\nthree\r\n\n\r\nfour\rstill four\r\r\nfive');
    expect(await edited(raw, 'three', '3')).toBe('one\r\ntwo\n3\r\n\n\r\nfour\rstill four\r\r\nfive');
    expect(await edited(raw, 'five', 'FIVE')).toBe('one\r\ntwo\nthree\r\n\n\r\nfour\rstill four\r\r\nFIVE');
  });

  it('gives new lines the ending of the line they are added to', async () => {
    const raw = 'one\r\ntwo\nthree\r\n';
    expect(await edited(raw, 'one', 'one\nmore')).toBe('one\r\nmore\r\ntwo\nthree\r\n');
    expect(await edited(raw, 'two', 'two\nmore')).toBe('one\r\ntwo\nmore\nthree\r\n');
    expect(await edited('a\r\nb', 'b', 'b\nc')).toBe('a\r\nb\r\nc');
  });

  it('keeps the endings of unchanged and changed lines inside the edit', async () => {
    const raw = 'a\r\nb\nc\r\nd\n';
    expect(await edited(raw, 'a\nb\nc\nd\n', 'a\nB\nc\nd\n')).toBe('a\r\nB\nc\r\nd\n');
    expect(await edited(raw, 'b\nc', 'b\nnew\nc')).toBe('a\r\nb\nnew\nc\r\nd\n');
    expect(await edited(raw, 'b\nc\n', '')).toBe('a\r\nd\n');
  });

  it('does not touch blank lines after an inserted one', async () => {
    expect(await edited('a\r\n\n\r\nb\n', 'a', 'a\n')).toBe('a\r\n\r\n\n\r\nb\n');
  });

  it('applies several edits', async () => {
    const raw = 'x\r\ny\nx\n';
    const edits = [
      { start: 0, end: 1, text: 'X' },
      { start: 4, end: 5, text: 'X' },
    ];
    expect(await applyEdits(raw, edits)).toBe('X\r\ny\nX\n');
  });
});

describe('carryLineEnds', () => {
  const options = { lineEnd: '\r\n', pairChanged: false };

  it('keeps a uniform style', async () => {
    expect(await carryLineEnds('a\r\nb\r\n', 'x\ny\nz\n', options)).toBe('x\r\ny\r\nz\r\n');
    expect(await carryLineEnds('a\nb\n', 'x\ny\n', options)).toBe('x\ny\n');
  });

  it('keeps the endings of unchanged lines in mixed text', async () => {
    expect(await carryLineEnds('a\r\nb\nc\r\n', 'a\nb\nZ\n', options)).toBe('a\r\nb\nZ\r\n');
    expect(await carryLineEnds('a\r\nb\nc\r\n', 'x\ny\n', options)).toBe('x\r\ny\r\n');
    expect(await carryLineEnds('a\nb\r\nc', 'new\na\nb\nc\n', options)).toBe('new\r\na\nb\r\nc\r\n');
  });

  it('handles large mixed texts that have nothing in common quickly', { timeout: 30_000 }, async () => {
    const raw = Array.from({ length: 6000 }, (_, line) => `old ${line}${line % 2 ? '\n' : '\r\n'}`).join('');
    const text = Array.from({ length: 6000 }, (_, line) => `new ${line}\n`).join('');
    expect(await carryLineEnds(raw, text, options)).toBe(text.replaceAll('\n', '\r\n'));
  });
});
