/** Commands whose feature does not exist yet. They are not listed; who types one is told. */
import { type Action, builtIn, notYet, unlessOff } from '../builtin/define.js';
import type { SlashCommand } from '../types.js';

const agents = unlessOff('Agents are', ['experimental.enableAgents'], notYet);
const extensions = unlessOff('Extensions are', ['admin.extensions.enabled'], notYet);
const hooks = unlessOff('Hooks are', ['hooksConfig.enabled'], notYet);
const mcp = unlessOff('MCP servers are', ['admin.mcp.enabled'], notYet);
const skills = unlessOff('Skills are', ['skills.enabled', 'admin.skills.enabled'], notYet);

export const NOT_YET: readonly SlashCommand[] = [
  family('agents', 'Sub-agents', agents, [
    ['list', 'List agents'],
    ['reload', 'Reload agent files', 'refresh'],
    ['enable', 'Enable an agent: enable <name>'],
    ['disable', 'Disable an agent: disable <name>'],
    ['config', 'Configure an agent: config <name>'],
  ]),
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
  family('hooks', 'Programs that run at certain events', hooks, [
    ['panel', 'Show hooks', 'list', 'show'],
    ['enable', 'Enable a hook: enable <name>'],
    ['disable', 'Disable a hook: disable <name>'],
    ['enable-all', 'Enable all hooks'],
    ['disable-all', 'Disable all hooks'],
  ]),
  family('ide', 'Editor connection', notYet, [
    ['status', 'Show the connection'],
    ['install', 'Install the companion'],
    ['enable', 'Enable the connection'],
    ['disable', 'Disable the connection'],
  ]),
  family('mcp', 'MCP servers', mcp, [
    ['list', 'List servers and their tools', 'ls', 'nodesc'],
    ['desc', 'With descriptions'],
    ['schema', 'With parameters'],
    ['auth', 'Sign in to a server: auth [server]'],
    ['reload', 'Reconnect', 'refresh'],
    ['enable', 'Enable a server: enable <server>'],
    ['disable', 'Disable a server: disable <server>'],
  ]),
  family(
    'skills',
    'Skills',
    skills,
    [
      ['list', 'List skills: list [nodesc] [all]'],
      ['enable', 'Enable a skill: enable <name>'],
      ['disable', 'Disable a skill: disable <name>'],
      ['link', 'Use a skill from a folder: link <path>'],
      ['reload', 'Reload skills', 'refresh'],
    ],
    { altNames: ['skill'] },
  ),
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
