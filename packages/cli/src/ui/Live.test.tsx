import { ApprovalMode } from '@gemini-cli/core';
import { Text } from 'ink';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { DialogName } from '../commands/dialog-name.js';
import { testServices } from './dialogs/services.test-helper.js';
import { InputRouter } from './keys/router.js';
import { mountLive } from './Live.js';
import { initialState } from './store/state.js';
import { Store } from './store/store.js';
import { facts } from './testing/facts.test-helper.js';
import { plainLook } from './testing/plain-look.test-helper.js';

vi.setConfig({ testTimeout: 60_000 });

function Broken(): never {
  throw new Error('This component is broken.');
}

function liveWith(name: DialogName, props: Record<string, unknown>) {
  const store = new Store(initialState(facts, ApprovalMode.DEFAULT));
  const open = (dialog: DialogName, given: Record<string, unknown>) =>
    store.dispatch({ type: 'dialog_opened', dialog: { name: dialog, props: given, isUnbidden: false } });
  open(name, props);
  const failures: unknown[] = [];
  const look = plainLook();
  const services = testServices();
  const ignore = () => undefined;
  const surface = mountLive(
    {
      store,
      router: new InputRouter(),
      look: () => look,
      services: () => services,
      onAnswer: ignore,
      onClose: ignore,
      onReady: ignore,
      onBusy: ignore,
      onFailure: (error) => failures.push(error),
    },
    () => ({ columns: 80, rows: 24 }),
    ignore,
  );
  onTestFinished(() => {
    surface.unmount();
    services.remove();
  });
  return { failures, open, frame: () => surface.lines().join('\n') };
}

it('reports a dialog whose component fails, and shows the next one', async () => {
  const { failures, open, frame } = liveWith('custom', { component: <Broken /> });
  await vi.waitFor(() => expect(failures).toEqual([new Error('This component is broken.')]), 10_000);
  expect(frame()).not.toContain('ERROR');
  open('custom', { component: <Text>All is well.</Text> });
  await vi.waitFor(() => expect(frame()).toContain('All is well.'), 10_000);
  expect(failures).toHaveLength(1);
});

it('reports a dialog that cannot be loaded while another one is open', async () => {
  const { failures, open, frame } = liveWith('custom', { component: <Text>First</Text> });
  await vi.waitFor(() => expect(frame()).toContain('First'), 10_000);
  open('unknown' as DialogName, {});
  await vi.waitFor(() => expect(failures).toHaveLength(1), 10_000);
});
