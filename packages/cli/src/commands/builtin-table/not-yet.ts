/** Commands whose feature does not exist yet. They are not listed; who types one is told. */
import { type Action, builtIn, notYet, unlessOff } from '../builtin/define.js';
import type { SlashCommand } from '../types.js';

const extensions = unlessOff('Extensions are', ['admin.extensions.enabled'], notYet);

export const NOT_YET: readonly SlashCommand[] = [
  family('extensions', 'Extensions', extensions, [
    ['list', 'List extensions'],
    ['update', 'Update extensions: update <names> or --all'],
    ['enable', 'Enable an extension: enable <name>'],
    ['disable', 'Disable an extension: disable <name>'],
    ['install', 'Install an extension: install <source>'],
    ['link', 'Use an extension from a folder: link <path>'],
    ['uninstall', 'Remove an extension: uninstall <name>', 'delete'],
    ['config', 'Extension settings: config <name>'],
    ['explore', 'Find extensions'],
    ['reload', 'Reload extensions', 'restart'],
  ]),
  family('ide', 'Editor connection', notYet, [
    ['status', 'Show the connection'],
    ['install', 'Install the companion'],
    ['enable', 'Enable the connection'],
    ['disable', 'Disable the connection'],
  ]),
  family('voice', 'Speech input', notYet, [['model', 'Choose the model']]),
  builtIn('gemma', 'Local routing status', { action: notYet, isSafeConcurrent: true, hidden: true }),
];

type Row = readonly [name: string, description: string, ...altNames: string[]];

function family(
  name: string,
  description: string,
  action: Action,
  rows: readonly Row[],
  more: Partial<SlashCommand> = {},
): SlashCommand {
  const subCommands = rows.map(([name, description, ...altNames]) =>
    builtIn(name, description, { action, ...(altNames.length > 0 && { altNames }) }),
  );
  return builtIn(name, description, { action, subCommands, hidden: true, ...more });
}
