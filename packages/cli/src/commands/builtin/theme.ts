/** `/theme`: the dialog, unless there are no colours to choose. */
import { isNoColor } from '../../terminal/color-depth.js';
import { type Action, info } from './define.js';

export const theme: Action = ({ services: { config } }) =>
  isNoColor(config?.getEnvironment().variables ?? process.env)
    ? info('NO_COLOR is set: there are no colours to choose. Unset it and start again.')
    : { type: 'dialog', dialog: 'theme' };
