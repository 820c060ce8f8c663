/** Helpers for the tables of built-in commands. They load a command's code only when it runs. */
import { setting } from '@gemini-cli/core';
import type { DialogName } from '../dialog-name.js';
import {
  type CommandContext,
  CommandKind,
  type SlashCommand,
  type SlashCommandActionReturn,
} from '../types.js';

export type Action = NonNullable<SlashCommand['action']>;
export type Completion = NonNullable<SlashCommand['completion']>;

export function builtIn(
  name: string,
  description: string,
  more: Omit<SlashCommand, 'name' | 'description' | 'kind'>,
): SlashCommand {
  return { name, description, kind: CommandKind.BUILT_IN, autoExecute: more.action !== undefined, ...more };
}

export function lazy<Name extends string>(
  load: () => Promise<{ readonly [Key in Name]: Action }>,
  name: Name,
): Action {
  return async (context, args) => (await load())[name](context, args);
}

export function lazyCompletion<Name extends string>(
  load: () => Promise<{ readonly [Key in Name]: Completion }>,
  name: Name,
): Completion {
  return async (context, partialArg) => (await load())[name](context, partialArg);
}

export function opens(dialog: DialogName): Action {
  return () => ({ type: 'dialog', dialog });
}

/** For a command that calls the app and returns nothing. */
export function does(what: (context: CommandContext) => void): Action {
  return (context) => {
    what(context);
    return undefined;
  };
}

/** For a command whose feature does not exist yet. */
export const notYet: Action = ({ invocation }) =>
  warning(`${invocation?.raw ?? 'This command'} is not available yet.`);

/** Says that the feature is disabled while one of these settings is false. */
export function unlessOff(
  feature: string,
  settings: readonly Parameters<typeof setting>[1][],
  action: Action,
): Action {
  return (context, args) => {
    const { merged } = context.services.settings;
    const off = settings.find((path) => setting(merged, path) === false);
    return off ? warning(`${feature} disabled (${off}).`) : action(context, args);
  };
}

export function info(content: string): SlashCommandActionReturn {
  return { type: 'message', messageType: 'info', content };
}

export function warning(content: string): SlashCommandActionReturn {
  return { type: 'message', messageType: 'warning', content };
}

export function failure(content: string): SlashCommandActionReturn {
  return { type: 'message', messageType: 'error', content };
}
