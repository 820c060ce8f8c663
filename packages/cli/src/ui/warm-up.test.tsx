import { expect, it, vi } from 'vitest';
import { loadedDialog } from './dialogs/registry.js';
import { plainLook } from './testing/plain-look.test-helper.js';
import { warmUp } from './warm-up.js';

/** It loads much; a busy machine takes its time. */
vi.setConfig({ testTimeout: 60_000 });

it('loads the common dialogs, and stops as soon as a real one is wanted', async () => {
  let asked = 0;
  await warmUp(plainLook(), () => ++asked < 3);
  expect(asked).toBe(3);
  expect(loadedDialog('model')).toBeDefined();
  expect(loadedDialog('theme')).toBeDefined();
  expect(loadedDialog('auth')).toBeUndefined();
});
