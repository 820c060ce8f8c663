import { ApprovalMode } from '@gemini-cli/core';
import { expect, it, vi } from 'vitest';
import { loadedDialog } from './dialogs/registry.js';
import { testServices } from './dialogs/services.test-helper.js';
import { InputRouter } from './keys/router.js';
import type { LiveProps } from './Live.js';
import { initialState } from './store/state.js';
import { Store } from './store/store.js';
import { facts } from './testing/facts.test-helper.js';
import { plainLook } from './testing/plain-look.test-helper.js';
import { warmUp } from './warm-up.js';

/** It loads much; a busy machine takes its time. */
vi.setConfig({ testTimeout: 60_000 });

const size = () => ({ columns: 80, rows: 24 });

it('loads the common dialogs, and stops as soon as a real one is wanted', async () => {
  const services = testServices();
  const look = plainLook();
  const heard = vi.fn();
  const props: LiveProps = {
    store: new Store(initialState(facts, ApprovalMode.DEFAULT)),
    router: new InputRouter(),
    look: () => look,
    services: () => services,
    onAnswer: heard,
    onClose: heard,
    onReady: heard,
    onBusy: heard,
    onFailure: heard,
  };
  let asked = 0;
  await warmUp(props, size, () => ++asked < 4);
  expect(asked).toBe(5);
  expect(loadedDialog('model')).toBeDefined();
  expect(loadedDialog('theme')).toBeDefined();
  expect(heard).not.toHaveBeenCalled();
  expect(services.calls).toEqual([]);
  services.remove();
});
