/** Parses the arguments of `gemini mcp`. */
import { type AddArguments, parseAdd, USAGE_ADD } from './add-arguments.js';
import { isScope, nameProblem, type Scope } from './names.js';

export type McpArguments =
  | AddArguments
  | { verb: 'remove'; name: string; scope: Scope }
  | { verb: 'list' }
  | { verb: 'enable' | 'disable'; name: string; session: boolean };

const USAGE: Readonly<Record<McpArguments['verb'], string>> = {
  add: USAGE_ADD,
  remove: 'remove <name> [-s user|project]',
  list: 'list',
  enable: 'enable <name> [--session]',
  disable: 'disable <name> [--session]',
};

/** @returns what is wrong, as a string */
export function parseArguments(args: readonly string[]): McpArguments | string {
  const [verb = '', ...rest] = args.filter((arg, at) => !(isDebug(arg) && isOurs(args, at)));
  switch (verb) {
    case 'add':
      return parseAdd(rest);
    case 'remove':
      return parseRemove(rest);
    case 'list':
      return rest.length === 0 ? { verb } : unknownArgument(rest[0], verb);
    case 'enable':
    case 'disable':
      return parseSwitch(verb, rest);
    default: {
      const problem = verb === '' ? 'a command is missing' : `unknown command "${verb}"`;
      return `${problem}. Choose one of: ${Object.keys(USAGE).join(', ')}.`;
    }
  }
}

function isDebug(arg: string): boolean {
  return arg === '--debug' || arg === '-d';
}

/** `add` hands options after the command to the server. */
function isOurs(args: readonly string[], at: number): boolean {
  return args[0] !== 'add' || at < 2;
}

function parseRemove(args: readonly string[]): McpArguments | string {
  let scope: Scope = 'project';
  const names: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const flag = /^(?:-s|--scope)(?:=(.*))?$/.exec(arg);
    if (flag) {
      const value = flag[1] ?? args[++at] ?? '';
      if (!isScope(value)) return `unknown scope "${value}". Choose user or project.`;
      scope = value;
    } else if (arg.startsWith('-') && arg !== '-') return unknownArgument(arg, 'remove');
    else names.push(arg);
  }
  return withName(names, 'remove', (name) => ({ verb: 'remove', name, scope }));
}

function parseSwitch(verb: 'enable' | 'disable', args: readonly string[]): McpArguments | string {
  const session = args.includes('--session');
  const names = args.filter((arg) => arg !== '--session');
  const unknown = names.find((arg) => arg.startsWith('-'));
  if (unknown !== undefined) return unknownArgument(unknown, verb);
  return withName(names, verb, (name) => ({ verb, name, session }));
}

function withName(
  [name, ...more]: readonly string[],
  verb: McpArguments['verb'],
  result: (name: string) => McpArguments,
): McpArguments | string {
  if (name === undefined) return `the name of a server is missing. ${usageOf(verb)}`;
  if (more.length > 0) return unknownArgument(more[0], verb);
  return nameProblem(name) ?? result(name);
}

function unknownArgument(arg = '', verb: McpArguments['verb']): string {
  return `unknown argument "${arg}". ${usageOf(verb)}`;
}

function usageOf(verb: McpArguments['verb']): string {
  return `Usage: gemini mcp ${USAGE[verb]}`;
}
