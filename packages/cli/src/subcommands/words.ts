/** Reads what follows `gemini <name>`: the verb, then its words and flags, which a table describes. */

export interface VerbFlags {
  /** The flags that the verb takes. */
  flags: readonly string[];
  /** Those of them that are followed by a value. */
  withValue: ReadonlySet<string>;
  /** Short spellings. */
  short: Readonly<Record<string, string>>;
}

export interface Words {
  words: string[];
  /** Flags without a value have an empty one. */
  flags: Map<string, string>;
}

/** @returns what is wrong, as a string */
export function readVerb<Verb extends string>(
  args: readonly string[],
  verbs: Readonly<Record<Verb, unknown>>,
): { verb: Verb; rest: string[] } | string {
  const [verb = '', ...rest] = args.filter((arg, at) => !isDebug(arg, at, args));
  if (Object.hasOwn(verbs, verb)) return { verb: verb as Verb, rest };
  const problem = verb === '' ? 'a command is missing' : `unknown command "${verb}"`;
  return `${problem}. Choose one of: ${Object.keys(verbs).join(', ')}.`;
}

/**
 * @param usage of the verb, for the complaint about a flag that it does not take
 * @returns what is wrong, as a string
 */
export function readWords(
  args: readonly string[],
  { flags, withValue, short }: VerbFlags,
  usage: string,
): Words | string {
  const read: Words = { words: [], flags: new Map() };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      read.words.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      read.words.push(arg);
      continue;
    }
    const equals = arg.indexOf('=');
    const written = equals < 0 ? arg : arg.slice(0, equals);
    const name = short[written] ?? written;
    if (!flags.includes(name))
      return `unknown argument "${arg}". ${usage} Put words that begin with "-" after "--".`;
    if (!withValue.has(name) && equals >= 0) return `${name} takes no value.`;
    const value = !withValue.has(name) ? '' : equals >= 0 ? arg.slice(equals + 1) : args[++at];
    if (value === undefined || (withValue.has(name) && value === '')) return `${name} needs a value.`;
    read.flags.set(name, value);
  }
  return read;
}

/** Every subcommand takes --debug; after "--" it is a word. */
function isDebug(arg: string, at: number, args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (arg === '--debug' || arg === '-d') && (end < 0 || at < end);
}
