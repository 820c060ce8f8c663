import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PlainWriter } from './plain-writer.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function writer() {
  let out = '';
  const made = new PlainWriter((data) => {
    out += data;
  });
  return { made, out: () => out, pause: () => vi.advanceTimersByTime(1_000) };
}
const cursor = { row: 0, column: 2 };

it('PlainWriter prints lines and then a prompt, and nothing twice', () => {
  const { made, out, pause } = writer();
  made.settle(['one', 'two']);
  made.draw(['> '], cursor);
  pause();
  made.draw(['> changed '], cursor);
  pause();
  expect(out()).toBe('one\ntwo\n> ');
  made.settle(['three']);
  made.draw(['> '], cursor);
  pause();
  expect(out()).toBe('one\ntwo\n> \nthree\n> ');
});

it('PlainWriter prints no prompt between lines that follow each other quickly', () => {
  const { made, out, pause } = writer();
  for (const line of ['one', 'two']) {
    made.settle([line]);
    made.draw(['> '], cursor);
  }
  pause();
  expect(out()).toBe('one\ntwo\n> ');
});

it('PlainWriter starts the answer at the line start after Enter', () => {
  const { made, out, pause } = writer();
  made.draw(['> '], cursor);
  pause();
  made.entered();
  made.draw([]);
  made.settle(['answer']);
  made.draw(['> '], cursor);
  pause();
  expect(out()).toBe('> answer\n> ');
});

it('PlainWriter prints a question when it changes, without escape sequences', () => {
  const { made, out } = writer();
  made.settle(['\x1b[1mbold\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07']);
  made.draw(['\x1b[31mMay it?\x1b[39m   ', '1. yes']);
  made.draw(['\x1b[31mMay it?\x1b[39m   ', '1. yes']);
  made.draw(['May it?', '2. no']);
  expect(out()).toBe('bold link\nMay it?\n1. yes\n> \nMay it?\n2. no\n> ');
});

it('PlainWriter suspends for another program and resumes', () => {
  const { made, out, pause } = writer();
  made.draw(['> '], cursor);
  pause();
  made.suspend();
  made.settle(['x']);
  made.draw(['> '], cursor);
  pause();
  expect(out()).toBe('> ');
  made.resume();
  made.draw(['> '], cursor);
  pause();
  expect(out()).toBe('> \nx\n> ');
});
