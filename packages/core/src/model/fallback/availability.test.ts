import { describe, expect, it } from 'vitest';
import { ModelAvailability } from './availability.js';

function bed() {
  let now = 1_000;
  const availability = new ModelAvailability(() => now);
  return { availability, pass: (ms: number) => (now += ms) };
}

describe('the availability of a model', () => {
  it('is healthy until something happens', () => {
    const { availability } = bed();
    expect(availability.stateOf('a')).toEqual({ kind: 'healthy' });
    expect(availability.isAvailable('a')).toBe(true);
  });

  it('ends for the session, or until its reset, when the quota is used up', () => {
    const { availability, pass } = bed();
    availability.markTerminal('a', 'quota');
    availability.markTerminal('b', 'quota', 6_000);
    availability.startTurn();
    expect(['a', 'b'].map((model) => availability.isAvailable(model))).toEqual([false, false]);
    expect(availability.stateOf('b')).toEqual({ kind: 'terminal', reason: 'quota', until: 6_000 });
    pass(5_000);
    expect(['a', 'b'].map((model) => availability.isAvailable(model))).toEqual([false, true]);
  });

  it('ends for 30 s when the server has no capacity', () => {
    const { availability, pass } = bed();
    availability.markTerminal('a', 'capacity');
    pass(29_999);
    expect(availability.isAvailable('a')).toBe(false);
    pass(1);
    expect(availability.stateOf('a').kind).toBe('healthy');
  });

  it('allows one more try in every turn after a temporary problem', () => {
    const { availability } = bed();
    availability.markStickyRetry('a');
    expect(availability.isAvailable('a')).toBe(false);
    availability.startTurn();
    expect([availability.isAvailable('a'), availability.stateOf('a').kind]).toEqual([true, 'sticky_retry']);
    availability.markStickyRetry('a');
    expect(availability.isAvailable('a')).toBe(false);
    availability.startTurn();
    availability.markHealthy('a');
    expect(availability.stateOf('a').kind).toBe('healthy');
  });

  it('decides which model is found first', () => {
    const { availability } = bed();
    availability.markTerminal('a', 'quota');
    availability.markStickyRetry('b');
    expect(availability.firstAvailable(['a', 'b', 'c', 'd'])).toBe('c');
    expect(availability.firstAvailable(['a', 'b'])).toBeUndefined();
    availability.reset();
    expect(availability.firstAvailable(['a', 'b'])).toBe('a');
  });
});
