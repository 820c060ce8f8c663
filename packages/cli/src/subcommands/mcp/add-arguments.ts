/** Parses `gemini mcp add`: options it does not know, and all after `--`, are arguments of the server. */
import { isScope, nameProblem, type Scope } from './names.js';

export type AddTransport = 'stdio' | 'sse' | 'http';

export interface AddArguments {
  verb: 'add';
  name: string;
  /** The command or the address. */
  target: string;
  args: string[];
  scope: Scope;
  transport: AddTransport;
  env: Record<string, string>;
  headers: Record<string, string>;
  timeout?: number;
  trust?: boolean;
  description?: string;
  includeTools?: string[];
  excludeTools?: string[];
}

export const USAGE_ADD = 'add [options] <name> <commandOrUrl> [args...]';

/** Values as they were written; a list for options that may be repeated. */
type Options = Partial<Record<OptionName, string[]>>;
type OptionName =
  | 'scope'
  | 'transport'
  | 'env'
  | 'header'
  | 'timeout'
  | 'trust'
  | 'description'
  | 'include-tools'
  | 'exclude-tools';

const NAMES: ReadonlyMap<string, OptionName> = new Map([
  ['-s', 'scope'],
  ['--scope', 'scope'],
  ['-t', 'transport'],
  ['--transport', 'transport'],
  ['--type', 'transport'],
  ['-e', 'env'],
  ['--env', 'env'],
  ['-H', 'header'],
  ['--header', 'header'],
  ['--timeout', 'timeout'],
  ['--trust', 'trust'],
  ['--description', 'description'],
  ['--include-tools', 'include-tools'],
  ['--includeTools', 'include-tools'],
  ['--exclude-tools', 'exclude-tools'],
  ['--excludeTools', 'exclude-tools'],
]);

/** @returns what is wrong, as a string */
export function parseAdd(args: readonly string[]): AddArguments | string {
  const read = readOptions(args);
  if (typeof read === 'string') return read;
  const { options, words } = read;
  const [name, target, ...rest] = words;
  if (name === undefined || target === undefined || target === '')
    return `a name and a command or address are needed. Usage: gemini mcp ${USAGE_ADD}`;
  const problem = nameProblem(name) ?? optionProblem(options);
  if (problem !== undefined) return problem;
  const transport = transportOf(options, target);
  if (transport !== 'stdio') {
    if (!isHttpUrl(target)) return `"${target}" is not an http:// or https:// address.`;
    if (rest.length > 0) return `unknown argument "${rest[0]}": a server with an address has none.`;
  }
  return {
    verb: 'add',
    name,
    target,
    args: rest,
    scope: (last(options.scope) ?? 'project') as Scope,
    transport,
    env: pairs(options.env, '='),
    headers: pairs(options.header, ':'),
    ...optional(options),
  };
}

function readOptions(args: readonly string[]): { options: Options; words: string[] } | string {
  const options: Options = {};
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') return { options, words: [...words, ...args.slice(at + 1)] };
    const equals = arg.startsWith('-') ? arg.indexOf('=') : -1;
    const option = NAMES.get(equals < 0 ? arg : arg.slice(0, equals));
    if (option === undefined) {
      if (arg === '--no-trust') options.trust = ['false'];
      // The name comes first, so an option that stands before it can only be a mistake.
      else if (words.length === 0 && arg.startsWith('-'))
        return `unknown option "${arg}". Usage: gemini mcp ${USAGE_ADD}`;
      else words.push(arg);
      continue;
    }
    const attached = equals < 0 ? undefined : arg.slice(equals + 1);
    const value = attached ?? (option === 'trust' ? 'true' : args[++at]);
    if (value === undefined) return `--${option} needs a value.`;
    options[option] = [...(options[option] ?? []), value];
  }
  return { options, words };
}

function optionProblem({ scope, transport, env, header, timeout, trust }: Options): string | undefined {
  const wrongScope = scope?.find((value) => !isScope(value));
  if (wrongScope !== undefined) return `unknown scope "${wrongScope}". Choose user or project.`;
  const wrongTransport = transport?.find((value) => !isTransport(value));
  if (wrongTransport !== undefined)
    return `unknown transport "${wrongTransport}". Choose stdio, sse or http.`;
  const hint = 'Options of the server itself come after "--".';
  if (env?.some((pair) => !/^[^=\s]+=/.test(pair))) return `--env needs KEY=value. ${hint}`;
  if (header?.some((pair) => !/^[\w!#$%&'*+.^`|~-]+\s*:/.test(pair)))
    return `--header needs "Name: value". ${hint}`;
  if (timeout?.some((value) => !/^\d+$/.test(value))) return `--timeout needs milliseconds. ${hint}`;
  if (trust?.some((value) => value !== 'true' && value !== 'false')) return '--trust is true or false.';
  return undefined;
}

/** An address is never a command, so it needs no `--transport`. */
function transportOf({ transport }: Options, target: string): AddTransport {
  const named = last(transport);
  if (named !== undefined && isTransport(named)) return named;
  return isHttpUrl(target) ? 'http' : 'stdio';
}

function isTransport(word: string): word is AddTransport {
  return word === 'stdio' || word === 'sse' || word === 'http';
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function optional(options: Options): Partial<AddArguments> {
  const { timeout, trust, description } = options;
  const include = list(options['include-tools']);
  const exclude = list(options['exclude-tools']);
  return {
    ...(timeout && { timeout: Number(last(timeout)) }),
    ...(trust && { trust: last(trust) === 'true' }),
    ...(description && { description: last(description) ?? '' }),
    ...(include && { includeTools: include }),
    ...(exclude && { excludeTools: exclude }),
  };
}

function list(values: readonly string[] | undefined): string[] | undefined {
  return values
    ?.flatMap((value) => value.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function pairs(values: readonly string[] = [], separator: string): Record<string, string> {
  const entries = values.map((value) => {
    const at = value.indexOf(separator);
    const text = value.slice(at + 1);
    return [value.slice(0, at).trim(), separator === ':' ? text.trim() : text] as const;
  });
  return Object.fromEntries(entries);
}

function last(values: readonly string[] | undefined): string | undefined {
  return values?.at(-1);
}
