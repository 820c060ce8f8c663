import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveOutput } from './live-output.js';

describe('LiveOutput', () => {
  let emitted: number[];
  let live: LiveOutput;
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    emitted = [];
    live = new LiveOutput(() => emitted.push(Date.now()));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('emits the first at once, then at most once a second, and the last', () => {
    for (let ms = 0; ms < 2500; ms += 100) {
      live.touch();
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(10_000);
    expect(emitted).toEqual([0, 1000, 2000, 3000]);
  });

  it('emits at once again after a pause', () => {
    live.touch();
    vi.advanceTimersByTime(1500);
    live.touch();
    expect(emitted).toEqual([0, 1500]);
  });

  it('emits often for a second after the user typed', () => {
    live.touch();
    live.touch();
    live.hurry();
    for (let ms = 0; ms < 200; ms += 10) {
      live.touch();
      vi.advanceTimersByTime(10);
    }
    expect(emitted).toEqual([0, 0, 0, 50, 100, 150, 200]);
  });

  it('delays nothing after a flush, and emits nothing after stop', () => {
    live.touch();
    live.touch();
    live.flush();
    live.touch();
    live.touch();
    live.stop();
    vi.advanceTimersByTime(5000);
    expect(emitted).toEqual([0, 0, 0]);
  });
});
