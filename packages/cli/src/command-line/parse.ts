/** Parses the command line with the flag table, by the rules of yargs plus values attached to short flags. */
import { FLAGS, type FlagSpec, type FlagValues } from './flags.js';
import { findSubcommand } from './subcommands.js';

export interface CommandLine {
  flags: FlagValues;
  /** Positional words. */
  query: string[];
  /** The first word, when it names a subcommand, and everything after it, unread. */
  subcommand?: { name: string; args: string[] };
}

export interface ParseResult {
  line: CommandLine;
  /** The first mistake in the command line, as a sentence. */
  problem?: string;
}

type Value = boolean | string | number | string[];

export function parseCommandLine(argv: readonly string[]): ParseResult {
  const reader = new Reader(argv);
  reader.readAll();
  // `convert` made every value for the type of its flag in the table.
  const flags = Object.fromEntries(reader.values) as FlagValues;
  const line: CommandLine = { flags, query: reader.words };
  if (reader.subcommand) line.subcommand = reader.subcommand;
  const problem = reader.problem ?? (line.subcommand ? undefined : findConflict(line));
  return problem === undefined ? { line } : { line, problem };
}

const SPECS: readonly FlagSpec[] = FLAGS;
const SESSION_ID = /^[A-Za-z0-9_-]+$/;

class Reader {
  readonly values = new Map<string, Value>();
  readonly words: string[] = [];
  subcommand?: { name: string; args: string[] };
  private readonly unknown: string[] = [];
  private complaint?: string;
  private index = 0;

  constructor(private readonly argv: readonly string[]) {}

  get problem(): string | undefined {
    if (this.complaint || this.unknown.length === 0) return this.complaint;
    return `Unknown argument${this.unknown.length > 1 ? 's' : ''}: ${this.unknown.join(', ')}`;
  }

  readAll(): void {
    while (this.index < this.argv.length && !this.subcommand) {
      const token = this.argv[this.index++] ?? '';
      if (token === '--') {
        this.words.push(...this.argv.slice(this.index));
        return;
      }
      if (!looksLikeFlag(token)) this.readWord(token);
      else if (token.startsWith('--')) this.readLong(token.slice(2));
      else this.readShort(token.slice(1));
    }
  }

  private readWord(word: string): void {
    const command = this.words.length === 0 ? findSubcommand(word) : undefined;
    if (command) this.subcommand = { name: command.name, args: this.argv.slice(this.index) };
    else this.words.push(word);
  }

  private readLong(body: string): void {
    const equals = body.indexOf('=');
    const name = equals < 0 ? body : body.slice(0, equals);
    const attached = equals < 0 ? undefined : body.slice(equals + 1);
    const spec = findFlag(name);
    if (spec) {
      this.readValue(spec, attached);
      return;
    }
    const negated = name.startsWith('no-') ? findFlag(name.slice(3)) : undefined;
    if (negated?.type === 'boolean' && attached === undefined) this.values.set(negated.name, false);
    else this.unknown.push(name);
  }

  /** `-d`, `-dp text`, `-m=name`, `-mname`. */
  private readShort(letters: string): void {
    for (let at = 0; at < letters.length; at++) {
      const letter = letters.charAt(at);
      const rest = letters.slice(at + 1);
      const spec = SPECS.find((flag) => flag.alias === letter);
      if (spec?.type === 'boolean' && rest !== '' && !rest.startsWith('=')) {
        this.values.set(spec.name, true);
        continue;
      }
      if (spec) this.readValue(spec, rest === '' ? undefined : rest.replace(/^=/, ''));
      else this.unknown.push(letter);
      if (spec || rest.startsWith('=')) return;
    }
  }

  private readValue(spec: FlagSpec, attached: string | undefined): void {
    const raw = attached ?? this.takeValue(spec);
    const value = raw === undefined ? missing(spec) : convert(spec, raw);
    if (value instanceof Complaint) {
      this.complaint ??= value.text;
    } else if (Array.isArray(value)) {
      const before = this.values.get(spec.name);
      this.values.set(spec.name, joinLists(Array.isArray(before) ? before : [], value));
    } else {
      this.values.set(spec.name, value);
    }
  }

  private takeValue(spec: FlagSpec): string | undefined {
    const next = this.argv[this.index];
    if (spec.type === 'boolean') {
      if (next !== 'true' && next !== 'false') return 'true';
    } else if (next === undefined || looksLikeFlag(next)) {
      return spec.type === 'optional-string' ? '' : undefined;
    }
    this.index++;
    return next;
  }
}

class Complaint {
  constructor(readonly text: string) {}
}

function convert(spec: FlagSpec, raw: string): Value | Complaint {
  switch (spec.type) {
    case 'boolean':
      if (raw !== 'true' && raw !== 'false') return invalid(spec, raw, ['true', 'false']);
      return raw === 'true';
    case 'number': {
      const number = raw.trim() === '' ? Number.NaN : Number(raw);
      if (number >= 0 && Number.isFinite(number)) return number;
      return new Complaint(`Invalid value: --${spec.name} needs a number of at least 0, given: "${raw}"`);
    }
    case 'list':
      return splitList(raw);
    case 'string':
    case 'optional-string': {
      const value = spec.synonyms?.[raw] ?? raw;
      if (spec.choices && !spec.choices.includes(value)) return invalid(spec, raw, spec.choices);
      if (spec.name === 'session-id' && !SESSION_ID.test(value)) {
        return new Complaint(
          `Invalid value: --session-id may hold only letters, digits, "_" and "-", given: "${raw}"`,
        );
      }
      return value;
    }
  }
}

function missing(spec: FlagSpec): Complaint {
  return new Complaint(`Not enough arguments following: ${spec.name}`);
}

function invalid(spec: FlagSpec, given: string, choices: readonly string[]): Complaint {
  const listed = choices.map((choice) => `"${choice}"`).join(', ');
  return new Complaint(`Invalid values:\n  Argument: ${spec.name}, Given: "${given}", Choices: ${listed}`);
}

/** Trims items and drops empty ones; a single empty item stays, since it means an empty list. */
function splitList(raw: string): string[] {
  const items = raw
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return raw.trim() === '' ? [''] : items;
}

function joinLists(before: string[], more: string[]): string[] {
  const items = [...before, ...more].filter((item) => item !== '');
  return items.length > 0 ? items : more;
}

/** `--outputFormat` is `--output-format`; a short name also works with two dashes. */
function findFlag(name: string): FlagSpec | undefined {
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return SPECS.find((flag) => flag.name === name || flag.alias === name || flag.name === kebab);
}

/** Numbers such as `-1`, a lone `-` and sentences that begin with a dash are values, not flags. */
function looksLikeFlag(token: string): boolean {
  return /^-[^0-9\s=][^\s=]*(=|$)/.test(token);
}

function findConflict({ flags, query }: CommandLine): string | undefined {
  if (flags.prompt !== undefined && query.length > 0) {
    return 'A prompt can be given with --prompt (-p) or as plain words, not both.';
  }
  if (flags.prompt !== undefined && flags['prompt-interactive'] !== undefined) {
    return '--prompt (-p) and --prompt-interactive (-i) cannot be combined: the first ends after the answer.';
  }
  if (flags.yolo && flags['approval-mode'] !== undefined) {
    return '--yolo (-y) and --approval-mode cannot be combined: use --approval-mode=yolo.';
  }
  const starts = (['resume', 'session-id', 'session-file'] as const).filter(
    (name) => flags[name] !== undefined,
  );
  if (starts.length > 1) return `${starts.map((name) => `--${name}`).join(' and ')} cannot be combined.`;
  return undefined;
}
