/** `/hooks`: lists, enables and disables hooks. */
import { visibleName } from '@gemini-cli/core';
import { type SessionHooks, switchAllHooks, switchHooks } from '../../engine/hook-switches.js';
import { formatHooks, hookRows } from '../../output/hooks-text.js';
import type { CommandContext } from '../types.js';
import { type Action, type Completion, failure, info, warning } from './define.js';
import { engineOf } from './needs.js';

const NONE = 'No hooks are configured. /docs hooks says how.';

export const panel: Action = (context) => {
  const hooks = hooksOf(context);
  if (hooks.length === 0) return info(NONE);
  const redactor = engineOf(context).getRedactor();
  const text = formatHooks(hookRows(hooks, (text) => redactor.redact(text)));
  return { type: 'dialog', dialog: 'hooks', plain: text };
};

export const enable: Action = (context, name) => change(context, name, true);
export const disable: Action = (context, name) => change(context, name, false);

async function change(context: CommandContext, args: string, enabled: boolean) {
  const word = enabled ? 'enable' : 'disable';
  if (args === '') return failure(`Name a hook: /hooks ${word} <name>`);
  const hooks = hooksOf(context);
  const wanted = args.replace(/^(["'])(.*)\1$/s, '$2');
  const hook =
    hooks.find(({ name }) => name === args || name === wanted) ??
    hooks.find(({ config }) => config.type === 'command' && config.command === args);
  if (!hook) {
    const names = [...new Set(hooks.map(({ name }) => shown(context, name)))];
    return failure(names.length > 0 ? `There is no hook "${args}". There are: ${names.join(', ')}.` : NONE);
  }
  const stays = await switchHooks(sessionOf(context), [hook.name], enabled);
  const name = shown(context, hook.name);
  if (stays.length > 0) return warning(`Hook "${name}" stays disabled by the system settings.`);
  return info(`${enabled ? 'Enabled' : 'Disabled'} hook "${name}".`);
}

export const enableAll: Action = (context) => changeAll(context, true);
export const disableAll: Action = (context) => changeAll(context, false);

async function changeAll(context: CommandContext, enabled: boolean) {
  const count = new Set(hooksOf(context).map(({ name }) => name)).size;
  if (count === 0) return info(NONE);
  const stays = await switchAllHooks(sessionOf(context), enabled);
  if (stays.length > 0) {
    const names = stays.map((name) => shown(context, name)).join(', ');
    return warning(`Enabled all hooks but those that the system settings disable: ${names}.`);
  }
  return info(`${enabled ? 'Enabled' : 'Disabled'} ${count} ${count === 1 ? 'hook' : 'hooks'}.`);
}

export const completeDisabled: Completion = (context, partialArg) => complete(context, partialArg, false);
export const completeEnabled: Completion = (context, partialArg) => complete(context, partialArg, true);

function complete({ services }: CommandContext, partialArg: string, enabled: boolean): string[] {
  const hooks = services.config?.getHookSystem()?.getRegistry().getAllHooks() ?? [];
  const names = new Set(hooks.filter((hook) => hook.enabled === enabled).map(({ name }) => name));
  // A name of several lines would be sent before it is complete.
  return [...names].filter((name) => name.startsWith(partialArg) && visibleName(name) === name);
}

/** A name comes from a file, and may be a whole command. */
function shown(context: CommandContext, name: string): string {
  return visibleName(engineOf(context).getRedactor().redact(name));
}

function hooksOf(context: CommandContext) {
  return engineOf(context).getHookSystem()?.getRegistry().getAllHooks() ?? [];
}

function sessionOf(context: CommandContext): SessionHooks {
  const config = engineOf(context);
  return {
    registry: config.getHookSystem()?.getRegistry(),
    settings: context.services.settings,
    isTrusted: config.isTrustedFolder(),
  };
}
