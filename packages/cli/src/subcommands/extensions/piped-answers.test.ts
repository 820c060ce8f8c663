import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { PipedAnswers } from './piped-answers.js';

describe('answers from a pipe', () => {
  it('gives each question one line, however the lines arrive', async () => {
    const input = new PassThrough();
    const answers = new PipedAnswers(input);
    input.write('y\nno\r\nye');
    expect(await answers.next()).toBe('y');
    expect(await answers.next()).toBe('no\r');
    const third = answers.next();
    input.end('s');
    expect(await third).toBe('yes');
    expect(await answers.next()).toBeUndefined();
  });

  it('ends where the input ends, and where no line comes', async () => {
    const closed = new PassThrough();
    closed.end();
    expect(await new PipedAnswers(closed).next()).toBeUndefined();
    const silent = new PassThrough();
    expect(await new PipedAnswers(silent, 1).next()).toBeUndefined();
    expect(silent.isPaused()).toBe(true);
  });

  it('reads no more than it needs of an endless input', async () => {
    let written = 0;
    const endless = new PassThrough({ highWaterMark: 16 });
    const answers = new PipedAnswers(endless);
    while (endless.write('y\n') && written < 1000) written += 1;
    expect(await answers.next()).toBe('y');
    expect(endless.isPaused()).toBe(true);
    const wide = new PassThrough();
    wide.write('y'.repeat(2000));
    expect((await new PipedAnswers(wide).next())?.length).toBe(2000);
  });
});
