import { describe, expect, it } from 'vitest';
import { closesFence, fencedBlocks, openingFence } from './markdown-fences.js';

describe('a fence', () => {
  it.each([
    ['```', { mark: '`', length: 3 }],
    ['  ````js title', { mark: '`', length: 4 }],
    ['~~~ `a`', { mark: '~', length: 3 }],
    ['``', undefined],
    ['```a``` in a line', undefined],
    ['text ```', undefined],
  ])('is found at the start of a line: %j', (line, fence) => {
    expect(openingFence(line)).toEqual(fence);
  });

  it('is closed by a line of at least as many of its marks', () => {
    const fence = { mark: '`', length: 4 };
    expect(['````', ' ````` \n', '```', '~~~~', '````js'].map((line) => closesFence(line, fence))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('fenced blocks', () => {
  it('have offsets and content', () => {
    const text = 'a\n```js\nlet x;\n\n```\nb\n~~~\n~~~\n';
    const blocks = fencedBlocks(text);
    expect(blocks.map(({ content }) => content)).toEqual(['let x;\n', '']);
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual([
      '```js\nlet x;\n\n```\n',
      '~~~\n~~~\n',
    ]);
  });

  it('may contain other fences, be in a block quote, and be unclosed', () => {
    expect(fencedBlocks('````\n```\n~~~\n````\n> ```\n> q\n> ```\n```\nrest')).toMatchObject([
      { content: '```\n~~~', isClosed: true },
      { content: '> q', isClosed: true },
      { content: 'rest', isClosed: false },
    ]);
    expect(fencedBlocks('```')).toMatchObject([{ content: '', isClosed: false }]);
  });

  it('are found fast in a text of only marks', () => {
    expect(fencedBlocks('`'.repeat(1_000_000))).toHaveLength(1);
    expect(fencedBlocks(`${'`'.repeat(1_000_000)} \``)).toEqual([]);
  });
});
