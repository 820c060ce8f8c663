/** Loads all commands of a session in parallel and resolves name conflicts. */
import { messageOf, visibleName } from '@gemini-cli/core';
import { CommandKind, type ICommandLoader, type SlashCommand } from './types.js';

export type Notify = (message: string) => void;

export class CommandService {
  private constructor(private readonly commands: readonly SlashCommand[]) {}

  /** A loader that fails is reported; the commands of the others are used. */
  static async create(
    loaders: readonly ICommandLoader[],
    signal: AbortSignal,
    notify: Notify = () => {},
  ): Promise<CommandService> {
    const results = await Promise.allSettled(loaders.map((loader) => loader.loadCommands(signal)));
    const loaded: SlashCommand[] = [];
    for (const result of results) {
      if (result.status === 'fulfilled') loaded.push(...result.value);
      else notify(`Some commands could not be loaded: ${messageOf(result.reason)}`);
    }
    return new CommandService(resolveConflicts(loaded, notify));
  }

  getCommands(): readonly SlashCommand[] {
    return this.commands;
  }
}

/** Reloading repeats messages; the user sees each once. */
export function onceEach(notify: Notify): Notify {
  const told = new Set<string>();
  return (message) => {
    if (told.has(message)) return;
    told.add(message);
    notify(message);
  };
}

/**
 * A built-in keeps its name, unless it is one that Gemini CLI does not have: then, like every alias, it gives way to
 * a command of the user or the project. Of the others the later one keeps the plain name (the project's
 * comes after the user's); both are reachable with their namespace as a prefix.
 */
function resolveConflicts(loaded: readonly SlashCommand[], notify: Notify): SlashCommand[] {
  const builtIn = yieldNames(loaded, notify);
  const others = loaded.filter(({ kind }) => kind !== CommandKind.BUILT_IN);
  const reserved = new Set(builtIn.flatMap(({ name, altNames = [] }) => [name, ...altNames]));
  const taken = new Map<string, SlashCommand>();
  const free = (name: string) => !reserved.has(name) && !taken.has(name);
  const rename = (command: SlashCommand): SlashCommand => {
    const { namespace = command.kind, name } = command;
    const renamed = { ...command, ...newNames(namespace, name, command, free) };
    taken.set(renamed.name, renamed);
    return renamed;
  };
  for (const command of others) {
    const holder = taken.get(command.name);
    if (!holder && !reserved.has(command.name)) {
      taken.set(command.name, command);
      continue;
    }
    if (holder?.namespace === 'user' && command.namespace === 'workspace') {
      const first = rename(holder);
      const second = rename(command);
      taken.set(command.name, command);
      notify(
        `Two commands are called ${shown(command)}: it runs the project's, also ${shown(second)}; yours is ${shown(first)}.`,
      );
      continue;
    }
    const renamed = rename(command);
    const why = holder ? 'is taken by another command' : 'is a built-in command';
    notify(`${shown(command)} ${why}; the one from ${origin(command)} is ${shown(renamed)}.`);
  }
  return [...builtIn, ...taken.values()];
}

/** The built-in commands, without the names that commands of the user or the project take. */
function yieldNames(loaded: readonly SlashCommand[], notify: Notify): SlashCommand[] {
  const own = loaded.filter(({ namespace }) => namespace === 'user' || namespace === 'workspace');
  const claimed = new Set(own.map(({ name }) => name));
  const yielded: { from: SlashCommand; to: SlashCommand }[] = [];
  const commands = loaded
    .filter(({ kind }) => kind === CommandKind.BUILT_IN)
    .map((command) => {
      const altNames = command.altNames?.filter((alias) => !claimed.has(alias));
      const kept = altNames ? { ...command, altNames } : command;
      if (!command.yields || !claimed.has(command.name)) return kept;
      const renamed = { ...kept, name: `${BUILT_IN_PREFIX}.${command.name}` };
      yielded.push({ from: command, to: renamed });
      return renamed;
    });
  const [from, to] = [yielded.map((pair) => shown(pair.from)), yielded.map((pair) => shown(pair.to))];
  if (from.length === 1) notify(`${from[0]} runs your own command; the built-in one is ${to[0]}.`);
  if (from.length > 1)
    notify(`${from.join(', ')} run your own commands; the built-in ones are ${to.join(', ')}.`);
  return commands;
}

const BUILT_IN_PREFIX = 'gemini';

function newNames(
  namespace: string,
  name: string,
  { extensionName, altNames = [] }: SlashCommand,
  isFree: (name: string) => boolean,
): Pick<SlashCommand, 'name' | 'altNames'> {
  const base = `${namespace}.${name}`;
  let chosen = base;
  for (let number = 1; !isFree(chosen); number++) chosen = `${base}${number}`;
  const aliases = extensionName && chosen === base ? [...altNames, `${namespace}:${name}`] : altNames;
  return { name: chosen, ...(aliases.length > 0 && { altNames: aliases }) };
}

function origin({ namespace, kind, extensionName }: SlashCommand): string {
  if (namespace === 'user') return 'your commands';
  if (namespace === 'workspace') return 'the project';
  if (extensionName) return `the extension ${visibleName(extensionName)}`;
  return visibleName(namespace ?? kind);
}

function shown({ name }: SlashCommand): string {
  return `/${visibleName(name)}`;
}
