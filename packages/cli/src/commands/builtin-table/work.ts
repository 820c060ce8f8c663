/** Commands about the model, its tools, and the folders it works in. */
import { builtIn, lazy, lazyCompletion, opens, unlessOff } from '../builtin/define.js';
import type { SlashCommand } from '../types.js';

const directory = () => import('../builtin/directory.js');
const memory = () => import('../builtin/memory.js');
const model = () => import('../builtin/model.js');
const plan = () => import('../builtin/plan.js');
const stats = () => import('../builtin/stats.js');
const tools = () => import('../builtin/tools.js');

const trust = unlessOff(
  'Folder trust is',
  ['security.folderTrust.enabled'],
  lazy(() => import('../builtin/permissions.js'), 'trust'),
);

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
  builtIn('policies', 'Rules that decide which calls may run', {
    action: lazy(() => import('../builtin/policies.js'), 'list'),
    subCommands: [
      builtIn('list', 'Rules in force, by approval mode', {
        action: lazy(() => import('../builtin/policies.js'), 'list'),
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
