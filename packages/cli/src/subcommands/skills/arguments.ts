/** Parses the arguments of `gemini skills`. */
import { isSkillScope, type SkillScope } from '../../commands/skill-settings.js';
import { readVerb, readWords, type Words } from '../words.js';

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
const SHORT = { '-s': '--scope' };

/** @returns what is wrong, as a string */
export function parseArguments(args: readonly string[]): SkillsArguments | string {
  const begun = readVerb(args, VERBS);
  if (typeof begun === 'string') return begun;
  const { verb, rest } = begun;
  const spec = VERBS[verb];
  const read = readWords(rest, { flags: spec.flags, withValue: WITH_VALUE, short: SHORT }, usageOf(spec));
  if (typeof read === 'string') return read;
  const { words, flags } = read;
  const isAll = spec.word === 'name' && flags.has('--all');
  const wanted = spec.word === undefined || isAll ? 0 : 1;
  if (words.length !== wanted || words.some((word) => word.trim() === '')) return usageOf(spec);
  return combine(verb, read);
}

function combine(verb: Verb, { words: [word = ''], flags }: Words): SkillsArguments | string {
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
  return `usage: gemini skills ${usage}.`;
}
