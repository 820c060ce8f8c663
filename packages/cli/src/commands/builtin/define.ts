/** How the tables of built-in commands are written: short, and without loading what the commands do. */
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

/** Loads the module with the first run. */
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

/** One call of the app, without an answer. */
export function does(what: (context: CommandContext) => void): Action {
  return (context) => {
    what(context);
    return undefined;
  };
}

/** The feature behind it does not exist yet; the command says so instead of being unknown. */
export function notYet(feature: string): Action {
  return () => warning(`${feature} are not available in this version yet.`);
}

type Switch = Parameters<typeof setting>[1];

/** Says that the feature is disabled while one of these settings is off. */
export function unlessOff(feature: string, switches: readonly Switch[], action: Action): Action {
  return (context, args) => {
    const { merged } = context.services.settings;
    const off = switches.find((path) => setting(merged, path) === false);
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
