/** Parses the arguments of `gemini sessions`. */
import type { ExportFormat } from '../../sessions/export.js';

export type SessionsArguments = { json: boolean } & (
  | { verb: 'list' }
  | { verb: 'show'; id: string }
  | { verb: 'search'; words: string }
  | { verb: 'export'; id: string; file?: string; format: ExportFormat; force: boolean }
  | { verb: 'import'; file: string }
  | { verb: 'delete'; id: string; yes: boolean }
  | { verb: 'rename'; id: string; name: string }
  | { verb: 'fork'; id: string; turn?: number }
);

type Verb = SessionsArguments['verb'];

interface VerbSpec {
  usage: string;
  /** In addition to --json, which all verbs take. */
  flags: readonly string[];
  words: readonly [least: number, most: number];
}

const MANY = Number.POSITIVE_INFINITY;

const VERBS: Readonly<Record<Verb, VerbSpec>> = {
  list: { usage: 'list', flags: [], words: [0, 0] },
  show: { usage: 'show <id>', flags: [], words: [1, 1] },
  search: { usage: 'search <words>', flags: [], words: [1, MANY] },
  export: {
    usage: 'export <id> [file] [--format json|md|html] [--force]',
    flags: ['--format', '--force'],
    words: [1, 2],
  },
  import: { usage: 'import <file>', flags: [], words: [1, 1] },
  delete: { usage: 'delete <id> [--yes]', flags: ['--yes'], words: [1, 1] },
  rename: { usage: 'rename <id> <name>', flags: [], words: [2, MANY] },
  fork: { usage: 'fork <id> [--turn <number>]', flags: ['--turn'], words: [1, 1] },
};

const WITH_VALUE: ReadonlySet<string> = new Set(['--format', '--turn']);

/** @returns what is wrong, as a string */
export function parseArguments(args: readonly string[]): SessionsArguments | string {
  const [verb = '', ...rest] = args.filter((arg, at) => !isDebug(arg, at, args));
  if (!isVerb(verb)) {
    const all = Object.keys(VERBS).join(', ');
    return verb === ''
      ? `a command is missing. Choose one of: ${all}.`
      : `unknown command "${verb}". Choose one of: ${all}.`;
  }
  const spec = VERBS[verb];
  const read = readWords(rest, spec);
  if (typeof read === 'string') return read;
  const { words, flags } = read;
  const [least, most] = spec.words;
  if (words.length < least || words.length > most || words.slice(0, least).some((word) => word.trim() === ''))
    return usageOf(spec);
  return combine(verb, words, flags);
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
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg);
      continue;
    }
    const equals = arg.indexOf('=');
    const written = equals < 0 ? arg : arg.slice(0, equals);
    const name = written === '-y' ? '--yes' : written;
    if (name !== '--json' && !spec.flags.includes(name))
      return `unknown argument "${arg}". ${usageOf(spec)} Put words that begin with "-" after "--".`;
    if (!WITH_VALUE.has(name) && equals >= 0) return `${name} takes no value.`;
    const value = !WITH_VALUE.has(name) ? '' : equals >= 0 ? arg.slice(equals + 1) : args[++at];
    if (value === undefined) return `${name} needs a value.`;
    flags.set(name, value);
  }
  return { words, flags };
}

function combine(verb: Verb, words: readonly string[], flags: Read['flags']): SessionsArguments | string {
  const json = flags.has('--json');
  const [id = '', second] = words;
  switch (verb) {
    case 'list':
      return { verb, json };
    case 'show':
      return { verb, json, id };
    case 'search':
      return { verb, json, words: words.join(' ') };
    case 'rename':
      return { verb, json, id, name: words.slice(1).join(' ') };
    case 'delete':
      return { verb, json, id, yes: flags.has('--yes') };
    case 'import':
      return { verb, json, file: id };
    case 'export': {
      const file = second === '-' ? undefined : second;
      const format = formatOf(flags.get('--format') ?? extensionOf(file));
      if (typeof format === 'object') return format.problem;
      return { verb, json, id, format, force: flags.has('--force'), ...(file !== undefined && { file }) };
    }
    case 'fork': {
      const turn = flags.get('--turn');
      if (turn === undefined) return { verb, json, id };
      if (!/^[1-9]\d*$/.test(turn)) return `--turn needs the number of a prompt, from 1, given: "${turn}".`;
      return { verb, json, id, turn: Number(turn) };
    }
  }
}

function formatOf(name: string): ExportFormat | { problem: string } {
  const format = name.toLowerCase();
  if (format === 'json') return 'json';
  if (format === 'md' || format === 'markdown') return 'markdown';
  if (format === 'html' || format === 'htm') return 'html';
  return { problem: `unknown format "${name}". Choose json, md or html.` };
}

/** Other file names get JSON, which can be imported again. */
function extensionOf(file = ''): string {
  return /\.(md|markdown|html?)$/i.exec(file)?.[1] ?? 'json';
}

function usageOf({ usage }: VerbSpec): string {
  return `usage: gemini sessions ${usage}.`;
}

function isVerb(word: string): word is Verb {
  return Object.hasOwn(VERBS, word);
}

/** Every subcommand takes --debug; after "--" it is a word. */
function isDebug(arg: string, at: number, args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (arg === '--debug' || arg === '-d') && (end < 0 || at < end);
}
