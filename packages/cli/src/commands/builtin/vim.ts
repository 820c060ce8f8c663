/** `/vim`: toggles and saves `general.vimMode`. */
import { type Action, info } from './define.js';

export const vim: Action = async ({ ui }) => {
  const isOn = await ui.toggleVimEnabled();
  return info(isOn ? 'Vim keys enabled. Esc leaves INSERT.' : 'Vim keys disabled.');
};
