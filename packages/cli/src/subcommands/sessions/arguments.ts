/** Parses the arguments of `gemini sessions`. */
import type { ExportFormat } from '../../sessions/export.js';
import { readVerb, readWords, type Words } from '../words.js';

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
const SHORT = { '-y': '--yes' };

/** @returns what is wrong, as a string */
export function parseArguments(args: readonly string[]): SessionsArguments | string {
  const begun = readVerb(args, VERBS);
  if (typeof begun === 'string') return begun;
  const { verb, rest } = begun;
  const spec = VERBS[verb];
  const flags = ['--json', ...spec.flags];
  const read = readWords(rest, { flags, withValue: WITH_VALUE, short: SHORT }, usageOf(spec));
  if (typeof read === 'string') return read;
  const { words } = read;
  const [least, most] = spec.words;
  if (words.length < least || words.length > most || words.slice(0, least).some((word) => word.trim() === ''))
    return usageOf(spec);
  return combine(verb, read);
}

function combine(verb: Verb, { words, flags }: Words): SessionsArguments | string {
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
