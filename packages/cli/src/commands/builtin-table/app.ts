/** Commands about the program itself. */
import { builtIn, does, lazy, lazyCompletion, opens } from '../builtin/define.js';
import type { SlashCommand } from '../types.js';

const auth = () => import('../builtin/auth.js');
const commands = () => import('../builtin/commands.js');
const docs = () => import('../builtin/docs.js');
const links = () => import('../builtin/links.js');
const bug = () => import('../builtin/bug.js');

export const APP: readonly SlashCommand[] = [
  builtIn('help', 'Show commands and keys', {
    altNames: ['?'],
    action: lazy(() => import('../builtin/help.js'), 'help'),
    isSafeConcurrent: true,
  }),
  builtIn('about', 'Show the version, model and environment', {
    action: lazy(() => import('../builtin/about.js'), 'about'),
    isSafeConcurrent: true,
  }),
  builtIn('auth', 'Sign in or switch account', {
    action: opens('auth'),
    subCommands: [
      builtIn('signin', 'Choose how to sign in', { altNames: ['login'], action: opens('auth') }),
      builtIn('signout', 'Sign out and forget the credentials', {
        altNames: ['logout'],
        action: lazy(auth, 'signOut'),
      }),
    ],
  }),
  builtIn('bug', 'Report a problem: bug [title]', { action: lazy(bug, 'bug') }),
  builtIn('bug-memory', 'Write a heap snapshot of this process', { action: lazy(bug, 'heapSnapshot') }),
  builtIn('commands', 'Your own commands', {
    action: lazy(commands, 'list'),
    subCommands: [
      builtIn('list', 'List commands from files, servers and skills', { action: lazy(commands, 'list') }),
      builtIn('reload', 'Reload command files', {
        altNames: ['refresh'],
        action: lazy(commands, 'reload'),
      }),
    ],
  }),
  builtIn('docs', 'List the documentation, or read a page: docs [page]', {
    action: lazy(docs, 'docs'),
    completion: lazyCompletion(docs, 'completePage'),
    isSafeConcurrent: true,
  }),
  builtIn('editor', 'Choose the external editor', { action: opens('editor') }),
  builtIn('footer', 'Choose what the footer shows', { altNames: ['statusline'], action: opens('footer') }),
  builtIn('privacy', 'Privacy notice and choices', { action: opens('privacy') }),
  builtIn('quit', 'Exit the program (--delete removes this session)', {
    altNames: ['exit'],
    action: lazy(() => import('../builtin/quit.js'), 'quit'),
    completion: (_context, partialArg) => ['--delete'].filter((word) => word.startsWith(partialArg)),
    isSafeConcurrent: true,
  }),
  builtIn('settings', 'View and change settings', { action: opens('settings') }),
  builtIn('shortcuts', 'Show or hide the keys', {
    action: does(({ ui }) => ui.app.toggleShortcuts()),
    isSafeConcurrent: true,
  }),
  builtIn('tasks', 'Show or hide background commands and agents', {
    altNames: ['bg', 'background', 'shells', 'bashes'],
    action: does(({ ui }) => ui.app.toggleTasks()),
    isSafeConcurrent: true,
  }),
  builtIn('terminal-setup', "Make Shift+Enter insert a new line in your editor's terminal", {
    action: lazy(() => import('../builtin/terminal-setup.js'), 'terminalSetup'),
  }),
  builtIn('theme', 'Choose the colours', {
    action: lazy(() => import('../builtin/theme.js'), 'theme'),
    isSafeConcurrent: true,
  }),
  builtIn('upgrade', 'Open the page about plans with higher limits', { action: lazy(links, 'upgrade') }),
  builtIn('vim', 'Toggle Vim keys', {
    action: lazy(() => import('../builtin/vim.js'), 'vim'),
    isSafeConcurrent: true,
  }),
  builtIn('corgi', 'A friend', { hidden: true, action: does(({ ui }) => ui.toggleCorgiMode()) }),
];
