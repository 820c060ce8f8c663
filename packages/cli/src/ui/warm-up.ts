/**
 * Opens a dialog off the screen while nothing else is to do. What draws the first real one is compiled then, and kept with
 * the compiled code of this run for the next (boot/code-cache.ts).
 */
import type { FrameSize } from '../terminal/frame-writer.js';
import { loadDialog } from './dialogs/registry.js';
import type { Key } from './keys/key.js';
import { InputRouter } from './keys/router.js';
import { type LiveProps, mountLive } from './Live.js';
import type { OpenDialog } from './store/state.js';
import { Store } from './store/store.js';

/** Enough for V8 to compile what opens a dialog and what a key runs; more would cost memory. */
const OPENINGS = 3;
const KEYS = 5;
const DOWN: Key = {
  kind: 'key',
  name: 'down',
  text: '',
  sequence: '',
  ctrl: false,
  alt: false,
  shift: false,
  cmd: false,
};

/** @param mayContinue false: a real one is wanted now */
export async function warmUp(
  props: LiveProps,
  size: () => FrameSize,
  mayContinue: () => boolean,
): Promise<void> {
  await Promise.all([loadDialog('model'), loadDialog('theme')]);
  // Without quotas, which the dialog would ask the server for.
  const dialog: OpenDialog = { name: 'model', props: { quotaDisplay: [] } };
  for (let opening = 0; opening < OPENINGS && mayContinue(); opening++) {
    const store = new Store({ ...props.store.getState(), dialog, confirmation: undefined });
    const router = new InputRouter();
    const surface = mountLive({ ...props, ...UNHEARD, store, router }, size, ignored);
    for (let key = 0; key < KEYS && mayContinue(); key++) {
      router.dispatch(DOWN);
      surface.flush();
      // Keys of the user are handled in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
    surface.unmount();
  }
}

function ignored(): void {
  // Nothing is chosen in it.
}

/** A failure is reported when a real one is opened. */
const UNHEARD = {
  onAnswer: ignored,
  onClose: ignored,
  onReady: ignored,
  onBusy: ignored,
  onFailure: ignored,
};
