/** Parses the arguments of `gemini extensions convert` and `import`. */
import type { ExtensionConversion } from '@gemini-cli/core';

type ConvertOptions = NonNullable<Parameters<ExtensionConversion['convertPluginFolder']>[0]['options']>;

export interface ConvertArguments {
  /** The plugin; with `remove` its name. */
  source: string;
  output?: string;
  format: 'text' | 'json';
  dryRun: boolean;
  force: boolean;
  all: boolean;
  ref?: string;
  path?: string;
  plugin?: string;
  options: ConvertOptions;
  /** Only of `import`. */
  to: 'extension' | 'home';
  scope: 'user' | 'workspace';
  remove: boolean;
  consent: boolean;
}

const SHARED_SWITCHES = ['--no-hooks', '--force', '--dry-run', '--inherit-tools', '--all-files', '--all'];
const SHARED_VALUES = [
  '--name',
  '--exclude-skill',
  '--output-format',
  '--ref',
  '--path',
  '--plugin',
  '--model-map',
  '--context',
];
const VERBS = {
  convert: { switches: SHARED_SWITCHES, values: [...SHARED_VALUES, '--output'] },
  import: {
    switches: [...SHARED_SWITCHES, '--remove', '--consent'],
    values: [...SHARED_VALUES, '--to', '--scope'],
  },
} as const;
const USAGE = {
  convert:
    'convert <plugin> [--output DIR] [--name N] [--plugin P | --all] [--ref R] [--path SUB] [--exclude-skill S] ' +
    '[--no-hooks] [--force] [--dry-run] [-o text|json]',
  import:
    'import <plugin> [--to extension|home] [--scope user|workspace] [--consent] [--plugin P] [--ref R] [--path SUB] ' +
    '[options of convert], or: import --remove <name> --to home',
} as const;

/** @returns what is wrong, as a string */
export function parseConvertArguments(
  verb: keyof typeof VERBS,
  args: readonly string[],
): ConvertArguments | string {
  const { switches, values } = VERBS[verb] as { switches: readonly string[]; values: readonly string[] };
  const words: string[] = [];
  const given = new Map<string, string[]>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      words.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith('-')) {
      words.push(arg);
      continue;
    }
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
    const written = equals < 0 ? arg : arg.slice(0, equals);
    const name = written === '-o' ? '--output-format' : written;
    if (switches.includes(name) && equals < 0) given.set(name, []);
    else if (values.includes(name)) {
      const value = equals >= 0 ? arg.slice(equals + 1) : args[++at];
      if (value === undefined || value === '') return `${name} needs a value.`;
      given.set(name, [...(given.get(name) ?? []), value]);
    } else return `unknown argument "${arg}". Use: gemini extensions ${USAGE[verb]}`;
  }
  if (words.length !== 1 || (words[0] ?? '').trim() === '') return `use: gemini extensions ${USAGE[verb]}`;
  return combine(words[0] ?? '', given);
}

function combine(source: string, given: ReadonlyMap<string, readonly string[]>): ConvertArguments | string {
  const last = (name: string) => given.get(name)?.at(-1);
  const choice = <T extends string>(name: string, allowed: readonly [T, ...T[]]): T | undefined =>
    given.has(name) ? allowed.find((value) => value === last(name)) : allowed[0];
  const format = choice('--output-format', ['text', 'json']);
  const to = choice('--to', ['extension', 'home']);
  const scope = choice('--scope', ['user', 'workspace']);
  if (!format) return `--output-format is text or json, given: "${last('--output-format')}".`;
  if (!to) return `--to is extension or home, given: "${last('--to')}".`;
  if (!scope) return `--scope is user or workspace, given: "${last('--scope')}".`;
  if (given.has('--scope') && to !== 'home') return '--scope is for --to home only.';
  if (given.has('--remove') && to !== 'home')
    return 'Extensions are removed with "gemini extensions uninstall"; --remove is for --to home.';
  if (given.has('--all') && (given.has('--plugin') || given.has('--name')))
    return '--all converts every plugin by its own name; leave out --plugin and --name.';
  const modelMap = modelsOf(given.get('--model-map') ?? []);
  if (typeof modelMap === 'string') return modelMap;
  const text = (name: string, key: string) => (given.has(name) ? { [key]: last(name) ?? '' } : {});
  return {
    source,
    format,
    to,
    scope,
    dryRun: given.has('--dry-run'),
    force: given.has('--force'),
    all: given.has('--all'),
    remove: given.has('--remove'),
    consent: given.has('--consent'),
    ...text('--output', 'output'),
    ...text('--ref', 'ref'),
    ...text('--path', 'path'),
    ...text('--plugin', 'plugin'),
    options: {
      ...text('--name', 'name'),
      ...text('--context', 'context'),
      excludeSkills: given.get('--exclude-skill') ?? [],
      hooks: !given.has('--no-hooks'),
      inheritTools: given.has('--inherit-tools'),
      allFiles: given.has('--all-files'),
      force: given.has('--force'),
      modelMap,
    },
  };
}

function modelsOf(pairs: readonly string[]): Record<string, string> | string {
  const map = new Map<string, string>();
  for (const pair of pairs) {
    const [, from, to] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (from === undefined || to === undefined) return `--model-map is name=name, given: "${pair}".`;
    map.set(from.trim(), to.trim());
  }
  return Object.fromEntries(map);
}
