import { describe, expect, it } from 'vitest';
import { ContentSplice } from './content-splice.js';

/** Plays tries (lists of chunks) and returns what a screen that can remove text would show. */
function screenAfter(...tries: string[][]): string {
  const splice = new ContentSplice();
  let shown = '';
  tries.forEach((chunks, index) => {
    if (index > 0) splice.restart();
    for (const chunk of chunks) {
      const { text, diverged } = splice.add(chunk);
      shown = diverged ? text : shown + text;
    }
  });
  const replaced = splice.finish();
  return replaced ?? shown;
}

describe('ContentSplice', () => {
  it('shows a repeated answer once', () => {
    expect(screenAfter(['Hello ', 'wor'], ['Hel', 'lo world', '!'])).toBe('Hello world!');
  });

  it('survives several cuts, shorter and longer than each other', () => {
    expect(screenAfter(['Hello wor'], ['Hell'], ['Hello world, h'], ['Hello world, hi'])).toBe(
      'Hello world, hi',
    );
  });

  it('replaces what was shown when the repetition differs', () => {
    expect(screenAfter(['Hello wor'], ['Good', 'bye'])).toBe('Goodbye');
  });

  it('replaces what was shown when the repetition is shorter', () => {
    expect(screenAfter(['Hello world'], ['Hello'])).toBe('Hello');
  });

  it('shows a second try in full when the first gave nothing', () => {
    expect(screenAfter([], ['all'])).toBe('all');
  });
});
