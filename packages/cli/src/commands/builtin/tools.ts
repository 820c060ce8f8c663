/** `/tools`: lists what the model can call now, except MCP tools, which /mcp lists. */
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import type { Action } from './define.js';
import { engineOf } from './needs.js';

export const list: Action = (context) => listing(context, false);

export const describe: Action = (context) => listing(context, true);

function listing(context: CommandContext, hasDescriptions: boolean): SlashCommandActionReturn {
  const config = engineOf(context);
  const registry = config.getToolRegistry();
  const names = new Set(registry.getCallableToolNames(config.getModel()));
  const rows = registry
    .getAllTools()
    .filter(({ name }) => names.has(name) && !name.startsWith('mcp_'))
    .map(({ name, displayName, description }) => ({
      name: displayName,
      note: name,
      ...(hasDescriptions && { detail: description.trim() }),
    }));
  return {
    type: 'items',
    items: [{ type: 'list', title: 'Tools', rows, empty: 'No tool can be called here.' }],
  };
}
