/** `/theme`: opens the dialog, unless NO_COLOR is set. */
import { isNoColor } from '../../terminal/color-depth.js';
import { type Action, info } from './define.js';

export const theme: Action = ({ services: { config } }) =>
  isNoColor(config?.getEnvironment().variables ?? process.env)
    ? info('NO_COLOR is set, so there are no colours to choose. Unset it and restart.')
    : { type: 'dialog', dialog: 'theme' };
