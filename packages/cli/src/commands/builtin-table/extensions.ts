/** `/extensions` and its sub-commands. */
import { setting } from '@gemini-cli/core';
import { builtIn, lazy, lazyCompletion, unlessOff, warning } from '../builtin/define.js';
import type { SlashCommand } from '../types.js';

const shown = () => import('../builtin/extensions.js');
const changing = () => import('../builtin/change-extensions.js');
const gallery = () => import('../builtin/explore-extensions.js');
const directory = () => import('../builtin/directory.js');

const guarded = (action: NonNullable<SlashCommand['action']>) =>
  unlessOff('Extensions are', ['admin.extensions.enabled'], (context, args) =>
    setting(context.services.settings.merged, 'experimental.extensionManagement')
      ? action(context, args)
      : warning('Extensions are disabled (experimental.extensionManagement).'),
  );
const main = (name: 'list' | 'enable' | 'disable' | 'restart') => guarded(lazy(shown, name));
const change = (name: 'install' | 'link' | 'uninstall' | 'update' | 'config') =>
  guarded(lazy(changing, name));
const named = (completion: 'completeAll' | 'completeEnabled' | 'completeDisabled' | 'completeName') => ({
  completion: lazyCompletion(shown, completion),
  autoExecute: false,
});

export const EXTENSIONS: readonly SlashCommand[] = [
  builtIn('extensions', 'Installed extensions', {
    onlySubCommands: true,
    action: main('list'),
    subCommands: [
      builtIn('list', 'List extensions', { action: main('list'), isSafeConcurrent: true }),
      builtIn('update', 'Update extensions: update <names> or --all', {
        action: change('update'),
        ...named('completeAll'),
      }),
      builtIn('enable', 'Enable: enable <name> or --all [--scope=user|workspace|session]', {
        action: main('enable'),
        ...named('completeDisabled'),
      }),
      builtIn('disable', 'Disable: disable <name> or --all [--scope=user|workspace|session]', {
        action: main('disable'),
        ...named('completeEnabled'),
      }),
      builtIn('explore', 'Find extensions in the gallery', { action: guarded(lazy(gallery, 'explore')) }),
      builtIn('install', 'Install an extension: install <source>', {
        action: change('install'),
        autoExecute: false,
      }),
      builtIn('link', 'Use an extension from a folder: link <path>', {
        action: change('link'),
        completion: lazyCompletion(directory, 'completeDirectory'),
        autoExecute: false,
      }),
      builtIn('uninstall', 'Remove extensions: uninstall <names>', {
        altNames: ['delete'],
        action: change('uninstall'),
        ...named('completeName'),
      }),
      builtIn('config', 'Set values that an extension asks for: config [name] [setting]', {
        action: change('config'),
        completion: lazyCompletion(shown, 'completeName'),
      }),
      builtIn('restart', 'Load extensions again: restart <name> or --all', {
        altNames: ['reload'],
        action: main('restart'),
        completion: lazyCompletion(shown, 'completeAll'),
      }),
    ],
  }),
];
