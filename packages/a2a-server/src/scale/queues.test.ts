import { expect, it } from 'vitest';
import { queueOf, queuesFor } from './queues.js';

it('tasks with the same labels share a queue, in whatever order they name them', () => {
  expect(queueOf(['b', 'a', 'b'])).toBe(queueOf(['a', 'b']));
  expect(queueOf()).toBe('turns');
  expect(queueOf(['a b'])).not.toBe(queueOf(['a', 'b']));
});

it('a worker serves the tasks that ask for some or all of its labels, and for none', () => {
  const queues = queuesFor(['gpu', 'disk']);
  expect(queues.sort()).toEqual(
    [queueOf(), queueOf(['disk']), queueOf(['disk', 'gpu']), queueOf(['gpu'])].sort(),
  );
  expect(new Set(queuesFor(['e', 'd', 'c', 'b', 'a'])).size).toBe(32);
});
