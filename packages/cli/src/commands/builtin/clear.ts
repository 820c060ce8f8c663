/** `/clear`: a new conversation on an empty screen. */
import type { Action } from './define.js';

export const clear: Action = async ({ ui }) => {
  ui.setDebugMessage('Starting a new conversation.');
  await ui.app.newSession();
  ui.clear();
  return undefined;
};
