import { expect, it } from 'vitest';
import { fillDiskAtEachStep } from './full-disk.test-helper.js';

it('a full disk at any step refuses the message or ends the turn with an error; later turns continue', async () => {
  const { refused, ended } = await fillDiskAtEachStep();
  expect(refused).toBeGreaterThan(0);
  expect(refused + ended).toBeGreaterThan(2);
});
