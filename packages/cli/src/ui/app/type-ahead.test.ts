import { expect, it } from 'vitest';
import type { Key } from '../keys/key.js';
import { TypeAhead } from './type-ahead.js';

function key(name: string, text = ''): Key {
  return { kind: 'key', name, text, ctrl: false, alt: false, shift: false, cmd: false, sequence: text };
}

function at() {
  const clock = { ms: 0 };
  return { clock, ahead: new TypeAhead(() => clock.ms) };
}

it('keys of a sentence that is being typed go on into the input, and its Enter answers nothing', () => {
  const { clock, ahead } = at();
  ahead.questionOpened(true);
  const fates = ['a', '1', 'enter'].map((name) => {
    clock.ms += 100;
    return ahead.judge(key(name, name === 'enter' ? '' : name));
  });
  expect(fates).toEqual(['input', 'input', 'drop']);
});

it('after a pause keys are for the question', () => {
  const { clock, ahead } = at();
  ahead.questionOpened(true);
  clock.ms = 501;
  expect(ahead.judge(key('enter'))).toBe('pass');
});

it('with an empty input a question can be answered at once', () => {
  const { ahead } = at();
  ahead.questionOpened(false);
  expect(ahead.judge(key('enter'))).toBe('pass');
});

it('Esc refuses at any time', () => {
  const { ahead } = at();
  ahead.questionOpened(true);
  expect(ahead.judge(key('escape'))).toBe('pass');
});
