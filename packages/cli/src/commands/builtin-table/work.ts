/** Commands about the model, its tools, and the folders it works in. */
import { builtIn, lazy, lazyCompletion, opens, unlessOff } from '../builtin/define.js';
import type { SlashCommand } from '../types.js';

const agents = () => import('../builtin/agents.js');
const directory = () => import('../builtin/directory.js');
const hooks = () => import('../builtin/hooks.js');
const mcp = () => import('../builtin/mcp.js');
const memory = () => import('../builtin/memory.js');
const model = () => import('../builtin/model.js');
const plan = () => import('../builtin/plan.js');
const skills = () => import('../builtin/skills.js');
const stats = () => import('../builtin/stats.js');
const tools = () => import('../builtin/tools.js');

const trust = unlessOff(
  'Folder trust is',
  ['security.folderTrust.enabled'],
  lazy(() => import('../builtin/permissions.js'), 'trust'),
);

const hooksAction = (name: 'panel' | 'enable' | 'disable' | 'enableAll' | 'disableAll') =>
  unlessOff('Hooks are', ['hooksConfig.enabled'], lazy(hooks, name));
function skill(name: 'main' | 'list' | 'enable' | 'disable' | 'link' | 'reload') {
  return unlessOff('Skills are', ['skills.enabled', 'admin.skills.enabled'], lazy(skills, name));
}
const agent = (name: 'list' | 'reload' | 'enable' | 'disable' | 'config' | 'fix') =>
  unlessOff('Agents are', ['experimental.enableAgents'], lazy(agents, name));
const agentName = lazyCompletion(agents, 'completeName');

type McpAction = 'panel' | 'list' | 'describe' | 'schema' | 'auth' | 'reload' | 'enable' | 'disable';

const mcpAction = (name: McpAction) => unlessOff('MCP servers are', ['admin.mcp.enabled'], lazy(mcp, name));

export const WORK: readonly SlashCommand[] = [
  builtIn('model', 'Choose the model', {
    action: opens('model'),
    subCommands: [
      builtIn('manage', 'Choose the model in a dialog', { action: opens('model') }),
      builtIn('set', 'Use a model: set <name> [--persist]', {
        action: lazy(model, 'set'),
        completion: lazyCompletion(model, 'completeModel'),
        autoExecute: false,
      }),
    ],
  }),
  builtIn('cost', 'Tokens and cost of this session, remaining budget', {
    yields: true,
    action: lazy(() => import('../builtin/cost.js'), 'cost'),
  }),
  builtIn('stats', 'Statistics of this session', {
    altNames: ['usage'],
    action: lazy(stats, 'session'),
    isSafeConcurrent: true,
    subCommands: [
      builtIn('session', 'Whole session', { action: lazy(stats, 'session'), isSafeConcurrent: true }),
      builtIn('model', 'By model', { action: lazy(stats, 'model'), isSafeConcurrent: true }),
      builtIn('tools', 'By tool', { action: lazy(stats, 'tools'), isSafeConcurrent: true }),
    ],
  }),
  builtIn('tools', 'List the tools the model can use', {
    action: lazy(tools, 'list'),
    subCommands: [
      builtIn('list', 'Names only', { altNames: ['nodesc'], action: lazy(tools, 'list') }),
      builtIn('desc', 'With descriptions', { altNames: ['descriptions'], action: lazy(tools, 'describe') }),
    ],
  }),
  builtIn('agents', 'Sub-agents', {
    onlySubCommands: true,
    action: agent('list'),
    subCommands: [
      builtIn('list', 'List agents', { action: agent('list') }),
      builtIn('reload', 'Reload agent files', { altNames: ['refresh'], action: agent('reload') }),
      builtIn('enable', 'Enable an agent: enable <name>', {
        action: agent('enable'),
        completion: agentName,
        autoExecute: false,
      }),
      builtIn('disable', 'Disable an agent: disable <name>', {
        action: agent('disable'),
        completion: agentName,
        autoExecute: false,
      }),
      builtIn('config', 'Configure an agent: config <name>', {
        action: agent('config'),
        completion: agentName,
        autoExecute: false,
      }),
      builtIn('fix', 'Repair agent files that do not load', { action: agent('fix') }),
    ],
  }),
  builtIn('policies', 'Rules that decide which calls may run', {
    action: lazy(() => import('../builtin/policies.js'), 'list'),
    subCommands: [
      builtIn('list', 'Rules in force, by approval mode', {
        action: lazy(() => import('../builtin/policies.js'), 'list'),
      }),
    ],
  }),
  builtIn('mcp', 'MCP servers and what they offer', {
    onlySubCommands: true,
    action: mcpAction('panel'),
    subCommands: [
      builtIn('list', 'List servers and their tools', {
        altNames: ['ls', 'nodesc', 'nodescription'],
        action: mcpAction('list'),
        isSafeConcurrent: true,
      }),
      builtIn('desc', 'With descriptions', {
        altNames: ['description'],
        action: mcpAction('describe'),
        isSafeConcurrent: true,
      }),
      builtIn('schema', 'With descriptions and parameters', {
        action: mcpAction('schema'),
        isSafeConcurrent: true,
      }),
      builtIn('auth', 'Sign in to a server: auth [server]', {
        action: mcpAction('auth'),
        completion: lazyCompletion(mcp, 'completeServers'),
      }),
      builtIn('reload', 'Start all servers again', { altNames: ['refresh'], action: mcpAction('reload') }),
      builtIn('enable', 'Enable a server: enable <server> [--session]', {
        action: mcpAction('enable'),
        completion: lazyCompletion(mcp, 'completeDisabled'),
        autoExecute: false,
      }),
      builtIn('disable', 'Disable a server: disable <server> [--session]', {
        action: mcpAction('disable'),
        completion: lazyCompletion(mcp, 'completeEnabled'),
        autoExecute: false,
      }),
    ],
  }),
  builtIn('hooks', 'Programs that run at certain events', {
    onlySubCommands: true,
    action: hooksAction('panel'),
    subCommands: [
      builtIn('panel', 'Show hooks; enable and disable them', {
        altNames: ['list', 'show'],
        action: hooksAction('panel'),
      }),
      builtIn('enable', 'Enable a hook: enable <name>', {
        action: hooksAction('enable'),
        completion: lazyCompletion(hooks, 'completeDisabled'),
        autoExecute: false,
      }),
      builtIn('disable', 'Disable a hook: disable <name>', {
        action: hooksAction('disable'),
        completion: lazyCompletion(hooks, 'completeEnabled'),
        autoExecute: false,
      }),
      builtIn('enable-all', 'Enable all hooks', {
        altNames: ['enableall'],
        action: hooksAction('enableAll'),
      }),
      builtIn('disable-all', 'Disable all hooks', {
        altNames: ['disableall'],
        action: hooksAction('disableAll'),
      }),
    ],
  }),
  builtIn('permissions', 'Folder trust', {
    action: trust,
    subCommands: [
      builtIn('trust', 'Decide whether a folder is trusted: trust [dir]', {
        action: trust,
        completion: lazyCompletion(directory, 'completeDirectory'),
      }),
    ],
  }),
  builtIn('directory', 'Workspace folders', {
    altNames: ['dir'],
    subCommands: [
      builtIn('add', 'Add folders: add <path>,<path>', {
        action: lazy(directory, 'add'),
        completion: lazyCompletion(directory, 'completeDirectory'),
        autoExecute: false,
      }),
      builtIn('show', 'Show the folders', { action: lazy(directory, 'show') }),
    ],
  }),
  builtIn('memory', 'Instructions the model reads (GEMINI.md)', {
    subCommands: [
      builtIn('show', 'Show everything the model reads', { action: lazy(memory, 'show') }),
      builtIn('list', 'List the files', { action: lazy(memory, 'list') }),
      builtIn('reload', 'Reload the files', { altNames: ['refresh'], action: lazy(memory, 'reload') }),
      builtIn('inbox', 'Review suggested memories and skills', { action: lazy(memory, 'inbox') }),
      builtIn('add', 'Remember a fact: add <text>', { action: lazy(memory, 'add'), autoExecute: false }),
    ],
  }),
  builtIn('skills', 'Skills: list, enable, disable, link, reload', {
    altNames: ['skill'],
    action: skill('main'),
    completion: lazyCompletion(skills, 'completeEnabled'),
    subCommands: [
      builtIn('list', 'List skills: list [nodesc] [all]', {
        action: skill('list'),
        completion: (_context, partialArg) => ['all', 'nodesc'].filter((word) => word.startsWith(partialArg)),
      }),
      builtIn('enable', 'Enable a skill: enable <name> [--scope user|workspace]', {
        action: skill('enable'),
        completion: lazyCompletion(skills, 'completeDisabled'),
        autoExecute: false,
      }),
      builtIn('disable', 'Disable a skill: disable <name> [--scope user|workspace]', {
        action: skill('disable'),
        completion: lazyCompletion(skills, 'completeEnabled'),
        autoExecute: false,
      }),
      builtIn('link', 'Use skills from a folder: link <path> [--scope user|workspace]', {
        action: skill('link'),
        completion: lazyCompletion(directory, 'completeDirectory'),
        autoExecute: false,
      }),
      builtIn('reload', 'Discover skills again', { altNames: ['refresh'], action: skill('reload') }),
    ],
  }),
  builtIn('init', 'Create a context file and let the model fill it', {
    action: lazy(() => import('../builtin/init.js'), 'init'),
  }),
  builtIn('plan', 'Plan without changing anything: plan [goal]', {
    action: lazy(plan, 'plan'),
    subCommands: [builtIn('copy', 'Copy the current plan', { action: lazy(plan, 'copy') })],
  }),
  builtIn('setup-github', 'Add workflow files for GitHub Actions', {
    action: lazy(() => import('../builtin/setup-github.js'), 'setupGithub'),
  }),
];
