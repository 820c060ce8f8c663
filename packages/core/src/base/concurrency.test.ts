import { describe, expect, it } from 'vitest';
import { untilAborted } from './concurrency.js';

const never = new Promise(() => undefined);
const NO_ABORT = new AbortController().signal;

describe('waiting until an abort', () => {
  it('ends with the work', async () => {
    await expect(untilAborted(Promise.resolve(1), NO_ABORT)).resolves.toBe(1);
    await expect(untilAborted(Promise.resolve(1), undefined)).resolves.toBe(1);
    await expect(untilAborted(Promise.reject(new Error('failed')), NO_ABORT)).rejects.toThrow('failed');
  });

  it('ends with an abort, also one of before', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(never, controller.signal);
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    await expect(untilAborted(never, controller.signal)).rejects.toThrow('stop');
  });

  it('hears a failure after the abort, which would end the process otherwise', async () => {
    const unheard: unknown[] = [];
    const onUnheard = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', onUnheard);
    const work = new Promise((_, reject) => setImmediate(() => reject(new Error('late'))));
    await expect(untilAborted(work, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onUnheard);
    expect(unheard).toEqual([]);
  });
});
