/** `/extensions install|link|uninstall|update|config`: the questions are dialogs, the work is done by `ExtensionActions`. */
import { resolve } from 'node:path';
import { visibleName } from '@gemini-cli/core';
import type { ExtensionActions, ExtensionQuestions } from '../extension-actions.js';
import { applyChange, installedExtensions, notInstalled } from '../installed-extensions.js';
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import { type Action, failure, info, notYet, warning } from './define.js';

export const install: Action = (context, args) =>
  withActions(context, args, async (actions, ask) => {
    const wanted = words(args);
    const flag = (name: string) => takeFlag(wanted, name);
    const value = (name: string) => takeValue(wanted, name);
    const more = {
      ...optional('ref', value('--ref')),
      ...optional('path', value('--path')),
      ...(flag('--auto-update') && { autoUpdate: true }),
      ...(flag('--pre-release') && { allowPreRelease: true }),
    };
    const [source = '', ...rest] = wanted;
    if (source === '' || rest.length > 0 || source.startsWith('-'))
      return failure(
        'Name one source: /extensions install <repository, archive or folder> [--ref R] [--path P]',
      );
    const made = await actions.install({ source, ...more }, ask);
    if (!made) return info('Nothing was installed.');
    return info(
      `Installed "${visibleName(made.name)}" ${visibleName(made.version)}. ${await applyChange(context, { added: [made.name] })}`,
    );
  });

export const link: Action = (context, args) =>
  withActions(context, args, async (actions, ask) => {
    const path = args.trim().replace(/^"(.*)"$/, '$1');
    if (path === '') return failure('Name a folder: /extensions link <path>');
    const made = await actions.link(resolve(context.ui.app.cwd, path), ask);
    if (!made) return info('Nothing was linked.');
    return info(
      `Linked "${visibleName(made.name)}" ${visibleName(made.version)}. ${await applyChange(context, { added: [made.name] })}`,
    );
  });

export const uninstall: Action = (context, args) =>
  withActions(context, args, async (actions, ask) => {
    const wanted = words(args);
    if (wanted.length === 0) return failure('Name extensions: /extensions uninstall <names>');
    const removed: string[] = [];
    const problems: string[] = [];
    for (const name of wanted) {
      try {
        removed.push(`"${visibleName(await actions.uninstall(name, ask))}"`);
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error));
      }
    }
    const done = removed.length > 0 ? `Removed ${removed.join(', ')}. ${await applyChange(context)}` : '';
    return problems.length > 0 ? failure([done, ...problems].filter(Boolean).join('\n')) : info(done);
  });

export const update: Action = (context, args) =>
  withActions(context, args, async (actions, ask) => {
    const wanted = words(args);
    const all = takeFlag(wanted, '--all');
    if (all === wanted.length > 0) return failure('Name extensions or all: /extensions update <names>|--all');
    const { extensions } = await installedExtensions(context);
    const missing = wanted.filter(
      (name) => !extensions.some((one) => one.name.toLowerCase() === name.toLowerCase()),
    );
    if (missing.length > 0) return failure(notInstalled(missing, extensions));
    if (extensions.length === 0) return info('No extensions installed.');
    const results = await actions.update(all ? 'all' : wanted, ask);
    const lines = results.map(({ message }) => message);
    if (results.some(({ hasChanged }) => hasChanged)) lines.push(await applyChange(context));
    const text = lines.join('\n') || 'Nothing to update.';
    const worst = results.some(({ level }) => level === 'error') ? failure : info;
    return results.some(({ level }) => level === 'warning') && worst === info ? warning(text) : worst(text);
  });

export const config: Action = (context, args) =>
  withActions(context, args, async (actions, ask) => {
    const wanted = words(args);
    const scope = takeValue(wanted, '--scope') ?? 'user';
    if (scope !== 'user' && scope !== 'workspace') return failure('--scope is user or workspace.');
    const [name, setting, ...rest] = wanted;
    if (rest.length > 0) return failure('Use: /extensions config [name] [setting] [--scope=user|workspace]');
    const lines = await actions.configure(
      { scope, ...optional('name', name), ...optional('setting', setting) },
      ask,
    );
    if (lines.length === 0) return info('Nothing was changed.');
    return info([...lines, await applyChange(context)].join('\n'));
  });

async function withActions(
  context: CommandContext,
  args: string,
  run: (actions: ExtensionActions, ask: ExtensionQuestions) => Promise<SlashCommandActionReturn>,
): Promise<SlashCommandActionReturn | undefined> {
  const { extensions } = context.services;
  if (!extensions) return notYet(context, args);
  const { questions } = context.ui;
  const notice = (text: string) => context.ui.addItem({ type: 'info', text });
  return run(extensions, {
    consent: async (text) => questions?.confirm(text) ?? refused(notice, text),
    confirm: async (question) => questions?.confirm(question) ?? false,
    value: async (question) => questions?.value(question),
    notice,
    signal: context.signal ?? new AbortController().signal,
  });
}

/** Where the user cannot be asked, the text still says what would have been installed. */
function refused(notice: (text: string) => void, text: string): boolean {
  notice(`${text}\n\nThis run cannot ask you. Use: gemini extensions install --consent`);
  return false;
}

function words(args: string): string[] {
  return (args.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
}

function takeFlag(given: string[], name: string): boolean {
  const at = given.indexOf(name);
  if (at >= 0) given.splice(at, 1);
  return at >= 0;
}

/** `--ref x` or `--ref=x`. */
function takeValue(given: string[], name: string): string | undefined {
  const at = given.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const [word = ''] = given.splice(at, 1);
  return word === name ? given.splice(at, 1)[0] : word.slice(name.length + 1);
}

function optional<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: string });
}
