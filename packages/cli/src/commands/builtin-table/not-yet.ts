/** Commands whose feature does not exist yet. They are not listed; who types one is told. */
import { type Action, builtIn, notYet } from '../builtin/define.js';
import type { SlashCommand } from '../types.js';

export const NOT_YET: readonly SlashCommand[] = [
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
