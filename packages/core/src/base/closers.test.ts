import { expect, it } from 'vitest';
import { Closers } from './closers.js';

it('Closers closes all in reverse order, once, and throws the first failure', async () => {
  const closed: string[] = [];
  const closers = new Closers();
  closers.add(async () => closed.push('first'));
  closers.add(() => {
    throw new Error('cannot be closed');
  });
  closers.add(() => closed.push('last'));
  await expect(closers.close()).rejects.toThrow('cannot be closed');
  await closers.close();
  expect(closed).toEqual(['last', 'first']);
});
