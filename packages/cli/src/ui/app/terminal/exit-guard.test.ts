import { EventEmitter } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { dropLostTerminal, guardExits, watchTerminal } from './exit-guard.js';

afterEach(() => vi.useRealTimers());

function guarded(noteProblem: (error: unknown) => void = () => undefined) {
  const stdin = new EventEmitter();
  const process = Object.assign(new EventEmitter(), { stdin });
  const log: string[] = [];
  let now = 0;
  guardExits(process, {
    restore: () => log.push('restore'),
    leaveBy: (exitCode) => log.push(`leave ${exitCode}`),
    noteProblem: (error) => {
      log.push(`problem ${String(error)}`);
      noteProblem(error);
    },
    giveUp: (error) => log.push(`give up ${String(error)}`),
    now: () => now,
  });
  return { process, stdin, log, pass: (ms: number) => (now += ms) };
}

it('signals, the end of the input and a lost terminal end the app, and its exit restores the terminal', () => {
  const { process, stdin, log } = guarded();
  process.emit('SIGHUP');
  process.emit('SIGTERM');
  stdin.emit('end');
  stdin.emit('error', Object.assign(new Error('read'), { code: 'EIO' }));
  stdin.emit('error', new Error('other'));
  process.emit('exit');
  expect(log).toEqual(['leave 129', 'leave 143', 'leave 0', 'leave 129', 'leave 1', 'restore']);
});

it('a bug is shown and the session continues', () => {
  const { process, log } = guarded();
  process.emit('uncaughtException', 'one');
  process.emit('unhandledRejection', 'two');
  expect(log).toEqual(['problem one', 'problem two']);
});

it('an error while reporting an error restores the terminal first', () => {
  const { process, log } = guarded(() => {
    throw new Error('cannot draw');
  });
  process.emit('uncaughtException', 'one');
  expect(log).toEqual(['problem one', 'restore', 'give up Error: cannot draw']);
});

it('endless errors restore the terminal and end the program; rare ones do not', () => {
  const often = guarded();
  for (let count = 0; count < 20; count++) often.process.emit('uncaughtException', 'again');
  expect(often.log.slice(-2)).toEqual(['restore', 'give up again']);
  const rare = guarded();
  for (let count = 0; count < 50; count++) {
    rare.pass(600);
    rare.process.emit('uncaughtException', 'now and then');
  }
  expect(rare.log).not.toContain('restore');
});

it('closes the descriptors of a lost terminal and no others', () => {
  const closed: number[] = [];
  const close = (fd: number) => {
    closed.push(fd);
    throw new Error('EBADF');
  };
  dropLostTerminal((fd) => fd === 2, close);
  expect(closed).toEqual([0, 1]);
});

it('a terminal lost at both ends is noticed once', () => {
  vi.useFakeTimers();
  let terminals = [0, 1];
  const lost = vi.fn();
  watchTerminal(lost, (fd) => terminals.includes(fd));
  vi.advanceTimersByTime(20_000);
  terminals = [0];
  vi.advanceTimersByTime(20_000);
  expect(lost).not.toHaveBeenCalled();
  terminals = [];
  vi.advanceTimersByTime(60_000);
  expect(lost).toHaveBeenCalledTimes(1);
});
