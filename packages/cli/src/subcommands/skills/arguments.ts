/** Parses the arguments of `gemini skills`. */
import { isSkillScope, type SkillScope } from '../../commands/skill-settings.js';

export type SkillsArguments =
  | { verb: 'list'; all: boolean }
  | { verb: 'enable'; name?: string }
  | { verb: 'disable'; name?: string; scope: SkillScope }
  | { verb: 'install'; source: string; scope: SkillScope; path?: string; ref?: string; consent: boolean }
  | { verb: 'link'; source: string; scope: SkillScope; consent: boolean }
  | { verb: 'uninstall'; name: string; scope: SkillScope };

type Verb = SkillsArguments['verb'];

interface VerbSpec {
  usage: string;
  flags: readonly string[];
  /** What its one word is; absent: it takes none. */
  word?: string;
}

const VERBS: Readonly<Record<Verb, VerbSpec>> = {
  list: { usage: 'list [--all]', flags: ['--all'] },
  enable: { usage: 'enable <name> (or --all)', flags: ['--all'], word: 'name' },
  disable: {
    usage: 'disable <name> (or --all) [--scope user|workspace]',
    flags: ['--all', '--scope'],
    word: 'name',
  },
  install: {
    usage: 'install <source> [--scope user|workspace] [--path <folder>] [--ref <ref>] [--consent]',
    flags: ['--scope', '--path', '--ref', '--consent'],
    word: 'source',
  },
  link: {
    usage: 'link <path> [--scope user|workspace] [--consent]',
    flags: ['--scope', '--consent'],
    word: 'path',
  },
  uninstall: { usage: 'uninstall <name> [--scope user|workspace]', flags: ['--scope'], word: 'name' },
};

const WITH_VALUE: ReadonlySet<string> = new Set(['--scope', '--path', '--ref']);
const SHORT: Readonly<Record<string, string>> = { '-s': '--scope' };

/** @returns what is wrong, as a string */
export function parseArguments(args: readonly string[]): SkillsArguments | string {
  const [verb = '', ...rest] = args.filter((arg) => arg !== '-d' && arg !== '--debug');
  if (!isVerb(verb)) {
    const all = Object.keys(VERBS).join(', ');
    return verb === ''
      ? `a command is missing. Choose one of: ${all}.`
      : `unknown command "${verb}". Choose one of: ${all}.`;
  }
  const read = readWords(rest, VERBS[verb]);
  return typeof read === 'string' ? read : combine(verb, read.words, read.flags);
}

interface Read {
  words: string[];
  flags: Map<string, string>;
}

function readWords(args: readonly string[], spec: VerbSpec): Read | string {
  const words: string[] = [];
  const flags = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') {
      words.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith('-')) {
      words.push(arg);
      continue;
    }
    const equals = arg.indexOf('=');
    const written = equals < 0 ? arg : arg.slice(0, equals);
    const name = SHORT[written] ?? written;
    if (!spec.flags.includes(name)) return `unknown argument "${arg}". ${usageOf(spec)}`;
    if (!WITH_VALUE.has(name) && equals >= 0) return `${name} takes no value.`;
    const value = !WITH_VALUE.has(name) ? '' : equals >= 0 ? arg.slice(equals + 1) : args[++at];
    if (value === undefined || (WITH_VALUE.has(name) && value === '')) return `${name} needs a value.`;
    flags.set(name, value);
  }
  const isAll = spec.word === 'name' && flags.has('--all');
  const wanted = spec.word === undefined || isAll ? 0 : 1;
  if (words.length !== wanted || words.some((word) => word.trim() === '')) return usageOf(spec);
  return { words, flags };
}

function combine(verb: Verb, [word = '']: readonly string[], flags: Read['flags']): SkillsArguments | string {
  const scope = flags.get('--scope') ?? (verb === 'disable' ? 'workspace' : 'user');
  if (!isSkillScope(scope)) return `--scope is user or workspace, given: "${scope}".`;
  const consent = flags.has('--consent');
  switch (verb) {
    case 'list':
      return { verb, all: flags.has('--all') };
    case 'enable':
      return { verb, ...(word !== '' && { name: word }) };
    case 'disable':
      return { verb, scope, ...(word !== '' && { name: word }) };
    case 'install': {
      const [path, ref] = [flags.get('--path'), flags.get('--ref')];
      return {
        verb,
        source: word,
        scope,
        consent,
        ...(path !== undefined && { path }),
        ...(ref !== undefined && { ref }),
      };
    }
    case 'link':
      return { verb, source: word, scope, consent };
    case 'uninstall':
      return { verb, name: word, scope };
  }
}

function usageOf({ usage }: VerbSpec): string {
  return `use: gemini skills ${usage}`;
}

function isVerb(word: string): word is Verb {
  return Object.hasOwn(VERBS, word);
}
