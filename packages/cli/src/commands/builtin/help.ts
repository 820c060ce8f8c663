/** `/help`: the commands in groups, and the keys one needs. */
import type { HelpView } from '../../history/item.js';
import { APP } from '../builtin-table/app.js';
import { CONVERSATION } from '../builtin-table/conversation.js';
import { EXTENSIONS } from '../builtin-table/extensions.js';
import { IDE } from '../builtin-table/ide.js';
import { WORK } from '../builtin-table/work.js';
import type { SlashCommand } from '../types.js';
import type { Action } from './define.js';

export const help: Action = ({ ui }) => ({
  type: 'items',
  items: [{ type: 'help', help: helpOf(ui.app.commands(), ui.app.keyHelp?.() ?? []) }],
});

const GROUPS: readonly [title: string, commands: readonly SlashCommand[]][] = [
  ['The program', APP],
  ['Model, rules and folders', [...WORK, ...EXTENSIONS, ...IDE]],
  ['The conversation, and going back', CONVERSATION],
];
/** From files, extensions and servers; last, because they are the fewest. */
const OTHERS = 'Your own commands';

function helpOf(commands: readonly SlashCommand[], keys: HelpView['keys']): HelpView {
  const shown = commands.filter(({ hidden }) => !hidden);
  const groupOf = ({ name }: SlashCommand) =>
    GROUPS.find(([, table]) => table.some((command) => command.name === name))?.[0] ?? OTHERS;
  const titles = [...GROUPS.map(([title]) => title), OTHERS];
  return {
    commands: titles.flatMap((group) =>
      shown.filter((command) => groupOf(command) === group).map((command) => ({ ...viewOf(command), group })),
    ),
    keys: [...keys],
  };
}

function viewOf({
  name,
  altNames,
  description,
  subCommands = [],
}: SlashCommand): HelpView['commands'][number] {
  const inner = subCommands.filter(({ hidden }) => !hidden);
  return {
    name,
    description,
    ...(altNames && { altNames }),
    ...(inner.length > 0 && {
      subCommands: inner.map((command) => ({ name: command.name, description: command.description })),
    }),
  };
}
