import { describe, expect, it } from 'vitest';
import type { InputEvent } from '../../keys/key.js';
import { KeyParser } from '../../keys/parse.js';
import { AnswerGuard, isMixedInput } from './answer-guard.js';

/** What reaches a question of the chunks that a terminal sends: names of keys, or `hint`. */
function reaching(...chunks: string[]): string[] {
  const guard = new AnswerGuard();
  const parser = new KeyParser();
  return chunks.flatMap((chunk) => {
    const events = [...parser.feed(chunk), ...parser.flush()];
    const isMixed = isMixedInput(events);
    return events.flatMap((event) => {
      const verdict = guard.judge(event, isMixed);
      if (verdict.kind === 'pass') return [nameOf(event)];
      return verdict.hint ? ['hint'] : [];
    });
  });
}

function nameOf(event: InputEvent): string {
  return event.kind === 'key' ? event.name : event.kind;
}

describe('keys on their own answer', () => {
  it.each([['\r'], ['1'], ['\x1b'], ['\x1b[A'], ['\x1b[B']])('%j', (chunk) => {
    expect(reaching(chunk)).toHaveLength(1);
  });

  it('also one after the other, and moves together with Enter', () => {
    expect(reaching('\x1b[B', '\r')).toEqual(['down', 'enter']);
    expect(reaching('\x1b[B\x1b[B\r')).toEqual(['down', 'down', 'enter']);
    expect(reaching('\r\r')).toEqual(['enter', 'enter']);
  });
});

describe('letters take nothing', () => {
  it.each([
    ['a letter', ['y']],
    ['letters that move in other lists', ['j', 'k']],
    ['a space', [' ']],
    ['a sentence', ['n', 'o', ' ', 'j', 'k', '1', '2']],
    ['a paste', ['\x1b[200~1\r\x1b[201~']],
    ['a paste without marks', ['1. do this']],
    ['a long run', ['x'.repeat(100)]],
    ['letters of other scripts', ['да', '好', 'é']],
  ])('%s', (_name, chunks) => {
    expect(reaching(...chunks).filter((name) => name !== 'hint')).toEqual([]);
  });

  it('and cancel the Enter that follows; the next one answers', () => {
    expect(reaching('n', '\r')).toEqual(['hint']);
    expect(reaching('z', '\r', '\r')).toEqual(['hint', 'enter']);
    expect(reaching('yes\r', '\r')).toEqual(['hint', 'enter']);
    expect(reaching('\x1b[200~yes\r\x1b[201~', '\r', '\r')).toEqual(['hint', 'enter']);
    expect(reaching('a', '\x7f', '\r')).toEqual(['backspace', 'hint']);
  });

  it('but a y alone leaves the Enter its meaning', () => {
    expect(reaching('y', '\r')).toEqual(['enter']);
    expect(reaching('y', 'e', 's', '\r')).toEqual(['hint']);
    expect(reaching('y', '1')).toEqual(['hint']);
    expect(reaching('y\r')).toEqual(['enter']);
    expect(reaching('\ry')).toEqual(['hint']);
    expect(reaching('y\r\r')).toEqual(['hint', 'hint']);
    expect(reaching('\x1b[200~y\x1b[201~\r')).toEqual(['hint']);
  });

  it('and the digits behind them are part of the text, until Enter or an arrow ends it', () => {
    expect(reaching('v', '2')).toEqual(['hint']);
    expect(reaching('v', '2', '\r', '2')).toEqual(['hint', 'hint', '2']);
    expect(reaching('v', '\x1b[B', '2')).toEqual(['down', '2']);
  });
});

describe('keys in one piece with text do not answer', () => {
  it.each(['1. do this\r', '2nd try', '1\r', '12', 'a\x1b[B', '\x1b[Ba', '\ryes', '1a'])('%j', (chunk) => {
    expect(reaching(chunk).filter((name) => name !== 'hint')).toEqual([]);
  });
});

it('Esc refuses at once, after letters too', () => {
  expect(reaching('abc', '\x1b')).toEqual(['escape']);
});

it('Ctrl+C always passes', () => {
  expect(reaching('abc\x03')).toEqual(['c']);
});

it('Tab opens the field that the text behind it is for', () => {
  expect(reaching('\tuse git')[0]).toBe('tab');
});

it('each question begins anew', () => {
  const guard = new AnswerGuard();
  const [letter, enter] = new KeyParser().feed('a\r');
  if (!letter || !enter) throw new Error('Two keys are expected.');
  guard.judge(letter, false);
  guard.reset();
  expect(guard.judge(enter, false)).toEqual({ kind: 'pass' });
});
