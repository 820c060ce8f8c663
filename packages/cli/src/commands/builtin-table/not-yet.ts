/** Commands whose feature does not exist yet. They are listed with their sub-commands and say so. */
import { type Action, builtIn, notYet, unlessOff } from '../builtin/define.js';
import type { SlashCommand } from '../types.js';

const agents = unlessOff('Agents are', ['experimental.enableAgents'], notYet('Agents'));
const extensions = unlessOff('Extensions are', ['admin.extensions.enabled'], notYet('Extensions'));
const hooks = unlessOff('Hooks are', ['hooksConfig.enabled'], notYet('Hooks'));
const ide = notYet('IDE connections');
const mcp = unlessOff('MCP servers are', ['admin.mcp.enabled'], notYet('MCP servers'));
const skills = unlessOff('Skills are', ['skills.enabled', 'admin.skills.enabled'], notYet('Skills'));
const voice = notYet('Voice models');

export const NOT_YET: readonly SlashCommand[] = [
  family('agents', 'Sub-agents', agents, [
    ['list', 'List agents'],
    ['reload', 'Read agent files again', 'refresh'],
    ['enable', 'Switch an agent on: enable <name>'],
    ['disable', 'Switch an agent off: disable <name>'],
    ['config', 'Configure an agent: config <name>'],
  ]),
  family('extensions', 'Extensions', extensions, [
    ['list', 'List extensions'],
    ['update', 'Update extensions: update <names> or --all'],
    ['enable', 'Switch an extension on: enable <name>'],
    ['disable', 'Switch an extension off: disable <name>'],
    ['install', 'Install an extension: install <source>'],
    ['link', 'Use an extension from a folder: link <path>'],
    ['uninstall', 'Remove an extension: uninstall <name>', 'delete'],
    ['config', 'Settings of an extension: config <name>'],
    ['explore', 'Look for extensions'],
    ['reload', 'Load extensions again', 'restart'],
  ]),
  family('hooks', 'Programs that run at certain events', hooks, [
    ['panel', 'Show hooks', 'list', 'show'],
    ['enable', 'Switch a hook on: enable <name>'],
    ['disable', 'Switch a hook off: disable <name>'],
    ['enable-all', 'Switch all hooks on'],
    ['disable-all', 'Switch all hooks off'],
  ]),
  family('ide', 'Connection to an editor', ide, [
    ['status', 'Show the connection'],
    ['install', 'Install the companion'],
    ['enable', 'Switch the connection on'],
    ['disable', 'Switch the connection off'],
  ]),
  family('mcp', 'MCP servers', mcp, [
    ['list', 'List servers and their tools', 'ls', 'nodesc'],
    ['desc', 'With descriptions'],
    ['schema', 'With parameters'],
    ['auth', 'Sign in to a server: auth [server]'],
    ['reload', 'Connect again', 'refresh'],
    ['enable', 'Switch a server on: enable <server>'],
    ['disable', 'Switch a server off: disable <server>'],
  ]),
  family(
    'skills',
    'Skills',
    skills,
    [
      ['list', 'List skills: list [nodesc] [all]'],
      ['enable', 'Switch a skill on: enable <name>'],
      ['disable', 'Switch a skill off: disable <name>'],
      ['link', 'Use a skill from a folder: link <path>'],
      ['reload', 'Read skills again', 'refresh'],
    ],
    { altNames: ['skill'] },
  ),
  family('voice', 'Speech input', voice, [['model', 'Choose the model']], { hidden: true }),
  builtIn('gemma', 'State of routing by a local model', {
    action: notYet('Local routing models'),
    isSafeConcurrent: true,
  }),
  builtIn('setup-github', 'Add workflow files for GitHub Actions', {
    action: notYet('Downloads of workflow files'),
  }),
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
  return builtIn(name, description, { action, subCommands, ...more });
}
