/** `/help`: lists all commands and keys. */
import type { HelpView } from '../../history/item.js';
import type { SlashCommand } from '../types.js';
import type { Action } from './define.js';

export const help: Action = ({ ui }) => ({
  type: 'items',
  items: [{ type: 'help', help: helpOf(ui.app.commands(), ui.app.keyHelp?.() ?? []) }],
});

function helpOf(commands: readonly SlashCommand[], keys: HelpView['keys']): HelpView {
  return {
    commands: commands
      .filter(({ hidden }) => !hidden)
      .map(({ name, altNames, description, subCommands = [] }) => ({
        name,
        description,
        ...(altNames && { altNames }),
        ...(subCommands.length > 0 && {
          subCommands: subCommands
            .filter(({ hidden }) => !hidden)
            .map(({ name, description }) => ({ name, description })),
        }),
      })),
    keys: [...keys],
  };
}
