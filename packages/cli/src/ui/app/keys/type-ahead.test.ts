import { expect, it } from 'vitest';
import type { Key } from '../../keys/key.js';
import { TypeAhead } from './type-ahead.js';

function key(name: string, text = ''): Key {
  return { kind: 'key', name, text, ctrl: false, alt: false, shift: false, cmd: false, sequence: text };
}

function at() {
  const clock = { ms: 0 };
  return { clock, ahead: new TypeAhead(() => clock.ms) };
}

it('keys of a sentence that is being typed still go to the input, and its Enter answers nothing', () => {
  const { clock, ahead } = at();
  ahead.questionOpened({ isTyping: true });
  ahead.questionShown();
  const fates = ['a', '1', 'enter'].map((name) => {
    clock.ms += 100;
    return ahead.judge(key(name, name === 'enter' ? '' : name));
  });
  expect(fates).toEqual(['input', 'input', 'drop']);
});

it('after a pause keys are for the question', () => {
  const { clock, ahead } = at();
  ahead.questionOpened({ isTyping: true });
  ahead.questionShown();
  clock.ms = 501;
  expect(ahead.judge(key('enter'))).toBe('pass');
});

it('with an empty input a question can be answered at once', () => {
  const { ahead } = at();
  ahead.questionOpened({ isTyping: false });
  ahead.questionShown();
  expect(ahead.judge(key('enter'))).toBe('pass');
});

it('Esc refuses at any time', () => {
  const { ahead } = at();
  ahead.questionOpened({ isTyping: true });
  ahead.questionShown();
  expect(ahead.judge(key('escape'))).toBe('pass');
});

it('before the question is on the screen, keys go into the input', () => {
  const { ahead } = at();
  ahead.questionOpened({ isTyping: false });
  expect([key('1', '1'), key('enter')].map((one) => ahead.judge(one))).toEqual(['input', 'drop']);
  ahead.questionShown();
  expect(ahead.judge(key('enter'))).toBe('pass');
});

it('an Enter that is held answers one question, not the next', () => {
  const { clock, ahead } = at();
  const press = (ms: number) => {
    clock.ms += ms;
    return ahead.judge(key('enter'));
  };
  expect(press(0)).toBe('pass');
  ahead.questionOpened({ isTyping: false });
  ahead.questionShown();
  expect([press(30), press(30), press(30), press(30)]).toEqual(['drop', 'drop', 'drop', 'drop']);
  expect(press(100)).toBe('pass');
});

it('an Enter after other keys is no longer the one that was held', () => {
  const { ahead } = at();
  expect(ahead.judge(key('enter'))).toBe('pass');
  ahead.questionOpened({ isTyping: false });
  ahead.questionShown();
  expect(ahead.judge(key('enter'))).toBe('drop');
  expect(ahead.judge(key('a', 'a'))).toBe('pass');
  expect(ahead.judge(key('enter'))).toBe('pass');
});

it('two quick Enters in one question are two', () => {
  const { clock, ahead } = at();
  ahead.questionOpened({ isTyping: false });
  ahead.questionShown();
  expect(ahead.judge(key('enter'))).toBe('pass');
  clock.ms += 10;
  expect(ahead.judge(key('enter'))).toBe('pass');
});

it('a question that the user did not ask for does not interrupt a sentence that continues after its Enter', () => {
  const { clock, ahead } = at();
  ahead.typed();
  ahead.questionOpened({ isTyping: false, isUnbidden: true });
  ahead.questionShown();
  clock.ms += 100;
  expect(ahead.judge(key('enter'))).toBe('drop');
});

it('letters that mean nothing to a question are a sentence: they and their Enter answer nothing', () => {
  const { clock, ahead } = at();
  ahead.questionOpened({ isTyping: false, isUnbidden: true, hasNoLetters: true });
  ahead.questionShown();
  clock.ms += 5_000;
  expect([key('d', 'd'), key('1', '1'), key('enter')].map((one) => ahead.judge(one))).toEqual([
    'input',
    'input',
    'drop',
  ]);
  clock.ms += 501;
  expect(ahead.judge(key('1', '1'))).toBe('pass');
});

it('once it is answered, keys are for the input as ever', () => {
  const { ahead } = at();
  ahead.questionOpened({ isTyping: true, hasNoLetters: true });
  ahead.questionClosed();
  expect([key('d', 'd'), key('enter')].map((one) => ahead.judge(one))).toEqual(['pass', 'pass']);
});

it('a question in a window too small to show it can only be refused', () => {
  const { ahead } = at();
  ahead.questionOpened({ isTyping: false });
  ahead.questionShown();
  const fates = [key('enter'), key('1', '1'), key('escape')].map((one) =>
    ahead.judge(one, { isHidden: true }),
  );
  expect(fates).toEqual(['drop', 'drop', 'pass']);
});
