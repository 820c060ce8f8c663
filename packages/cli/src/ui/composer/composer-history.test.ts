import { describe, expect, it } from 'vitest';
import { typing } from './composer.test-helper.js';

const [ESC, ENTER, TAB, UP, DOWN] = ['\x1b', '\r', '\t', '\x1b[A', '\x1b[B'];

describe('Prompt history', () => {
  const history = () => ['first', 'second\nline', 'third'];

  it('moves back and forth and returns to the draft', () => {
    const { type, shown } = typing({ history });
    type('draft', UP);
    expect(shown()).toBe('|third');
    type(UP);
    expect(shown()).toBe('|second\nline');
    type(UP, UP);
    expect(shown()).toBe('|first');
    type(DOWN);
    expect(shown()).toBe('second\nline|');
    type(DOWN);
    expect(shown()).toBe('third|');
    type(DOWN);
    expect(shown()).toBe('draft|');
    type(DOWN);
    expect(shown()).toBe('draft|');
  });

  it('moves inside several lines first, by rows of the screen', () => {
    const { type, shown } = typing({ history, width: 20, box: 'none' });
    type('aaaa bbbb cccc dddd eeee');
    type(UP);
    expect(shown()).toBe('aaaa bbbb| cccc dddd eeee');
    type(UP);
    expect(shown()).toBe('|third');
  });

  it('moves with Ctrl+P and Ctrl+N from anywhere', () => {
    const { type, shown } = typing({ history });
    type('a\nb', '\x10');
    expect(shown()).toBe('|third');
    type('\x0e');
    expect(shown()).toBe('a\nb|');
  });

  it('makes an edited entry the draft', () => {
    const { type, shown } = typing({ history });
    type(UP, '\x1b[F', '!', UP);
    expect(shown()).toBe('|third');
    type(DOWN);
    expect(shown()).toBe('third!|');
  });

  it('returns the queue to an empty input', () => {
    const queue = ['queued'];
    const { type, shown } = typing({ history, takeQueue: () => queue.pop() });
    type(UP);
    expect(shown()).toBe('queued|');
  });
});

describe('History search', () => {
  const history = () => ['fix the test', 'write docs', 'fix the build'];

  it('finds matches, moves between them and takes one', () => {
    const { type, shown, store } = typing({ history });
    type('draft', '\x12', 'fix');
    expect(store.getState().search?.matches).toEqual(['fix the build', 'fix the test']);
    type('\x12', TAB);
    expect([shown(), store.getState().search]).toEqual(['fix the test|', undefined]);
  });

  it('sends the match with Enter', () => {
    const { type, sent, shown } = typing({ history });
    type('\x12', 'DOCS', ENTER);
    expect([sent, shown()]).toEqual([['write docs'], '|']);
  });

  it('restores the text with Esc and when nothing is found', () => {
    const { type, shown, sent } = typing({ history });
    type('draft', '\x12', 'fix', ESC);
    expect(shown()).toBe('draft|');
    type('\x12', 'zzz', ENTER);
    expect([shown(), sent]).toEqual(['draft|', []]);
  });

  it('searches the shell history in shell mode', () => {
    const { type, shown } = typing({ history, shellHistory: () => ['git log'] });
    type('!', '\x12', 'g', TAB);
    expect(shown()).toBe('git log|');
  });
});
