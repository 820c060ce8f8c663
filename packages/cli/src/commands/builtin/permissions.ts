/** `/permissions trust [dir]`: opens the trust dialog for a folder. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Action, failure } from './define.js';

export const trust: Action = ({ ui }, args) => {
  if (args === '') return { type: 'dialog', dialog: 'permissions' };
  const directory = resolve(ui.app.cwd, args.replace(/^"(.*)"$/, '$1'));
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    return failure(`No such folder: ${directory}`);
  return { type: 'dialog', dialog: 'permissions', props: { directory } };
};
