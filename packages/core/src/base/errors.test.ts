import { describe, expect, it } from 'vitest';
import {
  AppError,
  DeveloperError,
  FatalBudgetError,
  FatalCancellationError,
  FatalConfigError,
  isAbort,
  isTimeout,
  ModelError,
  QuietExit,
  routeError,
  typeOf,
  UserError,
} from './errors.js';

class RanElsewhere extends QuietExit {
  readonly exitCode = 7;
}

describe('routeError', () => {
  it.each([
    ['a plain error', new Error('oops'), { to: 'model', isBug: true }],
    ['what is not an error', 'oops', { to: 'model', isBug: true }],
    ['an error for the model', new ModelError('oops'), { to: 'model', isBug: false }],
    ['an error for the user', new UserError('oops'), { to: 'model', isBug: false }],
    ['an internal error', new DeveloperError('oops'), { to: 'model', isBug: true }],
    ['a fatal error', new FatalBudgetError('oops'), { to: 'user', exitCode: 53, isBug: false }],
    ['a quiet exit', new RanElsewhere('oops'), { to: 'none', exitCode: 7 }],
  ])('sends %s that ended a tool call to its addressee', (_what, error, expected) => {
    expect(routeError(error, 'call')).toMatchObject({ message: 'oops', ...expected });
  });

  it.each([
    ['a plain error', new Error('oops'), { to: 'user', exitCode: 1, isBug: true }],
    ['an error for the model', new ModelError('oops'), { to: 'user', exitCode: 1, isBug: false }],
    ['an error for the user', new UserError('oops'), { to: 'user', exitCode: 1, isBug: false }],
    ['a fatal error', new FatalConfigError('oops'), { to: 'user', exitCode: 52, isBug: false }],
    ['a signal', new FatalCancellationError('oops', undefined, 143), { to: 'user', exitCode: 143 }],
    ['a quiet exit', new RanElsewhere('oops'), { to: 'none', exitCode: 7 }],
  ])('gives %s that ended the program its exit code', (_what, error, expected) => {
    expect(routeError(error, 'program')).toMatchObject({ message: 'oops', ...expected });
  });
});

it('an error keeps its code and its cause, and has neither if none was given', () => {
  const cause = new Error('why');
  expect(new UserError('oops', { code: 'locked', cause })).toMatchObject({ code: 'locked', cause });
  expect(new UserError('oops')).not.toHaveProperty('code');
  expect(new FatalConfigError('oops', cause)).toMatchObject({ exitCode: 52, cause, addressee: 'user' });
  expect(new FatalConfigError('oops')).toBeInstanceOf(AppError);
});

it('typeOf names the class, also of errors that are not ours', () => {
  expect([new FatalConfigError('x'), new TypeError('x'), 'x'].map(typeOf)).toEqual([
    'FatalConfigError',
    'TypeError',
    'Error',
  ]);
});

it('isAbort recognises a cancelled call by its signal, or by the error of another signal', () => {
  expect(isAbort(new Error('oops'), AbortSignal.abort())).toBe(true);
  expect(isAbort(AbortSignal.abort().reason)).toBe(true);
  expect(isAbort(Object.assign(new Error('oops'), { code: 'ABORT_ERR' }))).toBe(true);
  expect(isAbort(new Error('AbortError'), new AbortController().signal)).toBe(false);
});

it('isAbort is false for a signal that timed out', () => {
  const reason = new DOMException('late', 'TimeoutError');
  expect([isTimeout(reason), isAbort(reason)]).toEqual([true, false]);
});
