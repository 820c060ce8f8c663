/** Tab Tab switches between the minimal and the full screen. It comes last in the key order. */
import type { InputEvent } from '../../keys/key.js';
import type { Store } from '../../store/store.js';
import { saveState } from '../context/saved-state.js';

const DOUBLE_MS = 350;

export function minimalSwitch(
  store: Store,
  now: () => number,
  keep: (isMinimal: boolean) => void = (isMinimal) => saveState({ isMinimal }),
): (event: InputEvent) => boolean {
  let lastAt = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.kind !== 'key') return false;
    const isTab = event.name === 'tab' && !event.ctrl && !event.alt && !event.shift && !event.cmd;
    const { dialog, confirmation, isMinimal } = store.getState();
    if (!isTab || dialog || confirmation) {
      lastAt = Number.NEGATIVE_INFINITY;
      return false;
    }
    const isSecond = now() - lastAt <= DOUBLE_MS;
    lastAt = isSecond ? Number.NEGATIVE_INFINITY : now();
    if (isSecond) {
      store.dispatch({ type: 'toggled', what: 'isMinimal' });
      keep(!isMinimal);
    }
    return true;
  };
}
