/** `/commands`: lists and reloads the commands from files, servers and skills. */
import { CommandKind } from '../types.js';
import { type Action, info } from './define.js';

const NOTES: Readonly<Record<CommandKind, string>> = {
  [CommandKind.BUILT_IN]: '',
  [CommandKind.FILE]: '',
  [CommandKind.MCP_PROMPT]: 'MCP prompt',
  [CommandKind.AGENT]: 'agent',
  [CommandKind.SKILL]: 'skill',
};

export const list: Action = ({ ui }) => {
  const own = ui.app.commands().filter(({ kind, hidden }) => kind !== CommandKind.BUILT_IN && !hidden);
  return {
    type: 'items',
    items: [
      {
        type: 'list',
        title: 'Your commands',
        rows: own.map(({ name, description, kind, namespace }) => ({
          name: `/${name}`,
          note: NOTES[kind] || namespace || '',
          detail: description,
        })),
        empty: 'No commands of your own. Put .toml files into ~/.gemini/commands or .gemini/commands.',
      },
    ],
  };
};

export const reload: Action = ({ ui }) => {
  ui.reloadCommands();
  return info('Commands reloaded.');
};
