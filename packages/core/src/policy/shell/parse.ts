/** Parses a command line with the bash grammar and finds every command that it would start. */
import { basename } from 'node:path';
import { runsInBash } from '../../platform/shell/shell-command.js';
import { asReadBy, isReadAlike, isShell, partialScriptsOf, type Wrapped } from './nested/shell-scripts.js';
import { startsOthers, wrappedBy } from './nested/wrappers.js';
import { parseBash } from './parsing/grammar.js';
import { hasForbiddenCharacter } from './parsing/soundness.js';
import { SyntaxNode } from './parsing/syntax-tree.js';
import { literalWord, textOf } from './parsing/words.js';
import type { Assignment, ParsedCommand, SimpleCommand, Word } from './types.js';
import { setByBuiltin } from './variables/assigning-builtins.js';
import { descriptorVariables } from './variables/assignments.js';
import { expressionsOfTest } from './variables/expressions.js';
import { type FoundCommand, fail, UnreadableError, Walk } from './walk.js';

const MAX_CHARACTERS = 64 * 1024;
const MAX_COMMANDS = 2000;
/** Limits for shells within shells, and for wrappers around wrappers. */
const DEEPEST_SCRIPT = 8;
const DEEPEST_WRAPPER = 16;

/**
 * Undefined: the line cannot be parsed with certainty, so it is not known what it would run.
 * @param path the variable PATH, to find the shell that runs the line
 */
export async function parseCommand(text: string, path?: string): Promise<ParsedCommand | undefined> {
  if (!isReadAlike(text) && !runsInBash(path)) return undefined;
  const result: ParsedCommand = {
    commands: [],
    assignments: [],
    expressions: [],
    piped: false,
    roots: [],
    structure: [],
  };
  try {
    await new Reader(result).readScript(text, [], 0);
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
  if (result.commands.length === 0) return undefined;
  result.roots = [...new Set(result.commands.map(({ name }) => name).filter(Boolean))];
  return result;
}

/** Words without special characters. The tilde in `HEAD~1` is not expanded. */
const PLAIN = /^[A-Za-z0-9_./,:@%+-]+(?: (?:[A-Za-z0-9_./,:@%+=-]|(?<=\w)[~^])+)*$/;
/** Names after which words have another meaning. */
const SPECIAL_NAMES = /^(?:time|coproc|unsetenv)$/;

/** Separates plain commands. */
const PLAIN_SEPARATOR = / (?:&&|\|\|?) |; /;
/** A cheap test of the whole text before it is split. */
const PLAIN_LIST = /^[\w./,:@%+=~^;&| -]+$/;

/** The words of simple commands and lists that need no grammar; undefined for all others. */
function plainCommands(text: string): Word[][] | undefined {
  if (!PLAIN_LIST.test(text)) return undefined;
  const commands: Word[][] = [];
  for (const part of text.split(PLAIN_SEPARATOR)) {
    const words = plainWords(part);
    if (!words) return undefined;
    commands.push(words);
  }
  return commands;
}

function plainWords(text: string): Word[] | undefined {
  if (!PLAIN.test(text)) return undefined;
  const words = text.split(' ');
  const [name = ''] = words;
  const isSpecial = RESERVED.has(name) || EVALUATING.has(basename(name)) || SPECIAL_NAMES.test(name);
  return isSpecial ? undefined : words.map(literalWord);
}

/** A script inside the line (`bash -c '…'`), parsed after the text that contains it. */
interface Pending {
  script: string;
  via: string[];
  depth: number;
  /** The script still contains expansions: commands found in it count, and parts that cannot be parsed are ignored. */
  isPartial?: boolean;
}

const RESERVED = new Set(
  'if then else elif fi do done case esac while until for in function select { } ! [[ ]] ( )'.split(' '),
);
/** Builtins that expand or evaluate the values of their arguments. */
const EVALUATING = new Set(
  '[ [[ test let declare typeset export readonly local read printf unset mapfile readarray wait getopts'.split(
    ' ',
  ),
);

/** Options by which builtins run a program, now or later under another name. */
const STARTING_OPTIONS: Record<string, RegExp> = {
  mapfile: /^-[A-Za-z]*C/,
  readarray: /^-[A-Za-z]*C/,
  compgen: /^-[A-Za-z]*[CW]/,
  complete: /^-[A-Za-z]*[CW]/,
  bind: /^-[A-Za-z]*x/,
  hash: /^-[A-Za-z]*p/,
  enable: /^-[A-Za-z]*f/,
  jobs: /^-[A-Za-z]*x/,
  // After `set -k`, words such as `PATH=.` set variables.
  set: /^-[A-Za-z]*k|^keyword$/,
};

class Reader {
  private readonly pending: Pending[] = [];
  /** Commands by script text, since a line may contain the same script many times. */
  private readonly read = new Map<string, readonly FoundCommand[]>();

  constructor(private readonly result: ParsedCommand) {}

  async readScript(text: string, via: string[], depth: number): Promise<void> {
    if (depth > DEEPEST_SCRIPT || text.length > MAX_CHARACTERS || hasForbiddenCharacter(text)) fail();
    const plain = plainCommands(text);
    if (plain && text.includes(' | ')) this.result.piped = true;
    const found =
      plain?.map((words) => ({ words, assignments: [], redirections: [] })) ??
      this.read.get(text) ??
      (await this.readByGrammar(text));
    for (const item of found) this.add(item, via, depth);
    for (const next of this.pending.splice(0)) {
      if (next.isPartial) await this.readPartial(next);
      else await this.readScript(next.script, next.via, next.depth);
    }
  }

  private async readPartial({ script, via, depth }: Pending): Promise<void> {
    try {
      await this.readScript(script, via, depth);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      this.pending.length = 0;
    }
  }

  private async readByGrammar(text: string): Promise<readonly FoundCommand[]> {
    const tree = await parseBash(text);
    if (!tree) fail();
    try {
      const root = new SyntaxNode(tree.rootNode, text);
      if (root.hasError) fail();
      this.result.assignments.push(...descriptorVariables(text));
      const commands: FoundCommand[] = [];
      new Walk(text, (found) => commands.push(found), this.result).visit(root, 0, []);
      this.read.set(text, commands);
      return commands;
    } finally {
      tree.delete();
    }
  }

  private add(found: FoundCommand, via: string[], depth: number, wrappers = 0): void {
    const { words } = found;
    const [first] = words;
    if (wrappers > DEEPEST_WRAPPER || this.result.commands.length >= MAX_COMMANDS) fail();
    const name = first?.literal && !first.glob ? first.text : '';
    const isBare = first?.source === name;
    if (isBare && RESERVED.has(name) && !found.isSyntax) fail();
    const command: SimpleCommand = {
      name: first ? name || first.source : '',
      words,
      assignments: found.assignments,
      redirections: found.redirections,
      text: textOf(words),
      ownWords: words,
      via,
      dynamic: first !== undefined && (name === '' || first.tilde),
      transparent: false,
      alternatives: [],
      openArguments: found.openArguments ?? false,
    };
    this.result.commands.push(command);
    const program = basename(name);
    if (EVALUATING.has(program) && words.slice(1).some(isExpandedLater)) fail();
    const set = setByBuiltin(program, words.slice(1));
    if (set) this.result.assignments.push(...set.assignments);
    if (set?.expressions) this.result.expressions.push(...set.expressions);
    const isTest = (program === 'test' || program === '[') && !found.isSyntax;
    if (isTest) this.result.expressions.push(...expressionsOfTest(words.slice(1)));
    const started = startedBy(command, program);
    // `xargs env` starts a command from its input.
    if (command.openArguments && started.length === 0 && startsOthers(program)) command.dynamic = true;
    const starting = Object.hasOwn(STARTING_OPTIONS, program) ? STARTING_OPTIONS[program] : undefined;
    if (starting && words.slice(1).some(({ text }) => starting.test(text))) command.dynamic = true;
    if (started.length === 0) return;
    // A program of the project may have the name of a wrapper.
    const isOfSystem = name === program || /^\/(?:usr\/)?bin\/[^/]+$/.test(name);
    command.transparent = isOfSystem && started.length > 0 && started.every(({ transparent }) => transparent);
    const given = new Set(started.flatMap(({ words: inner = [], from = [] }) => [...inner, ...from]));
    if (given.size > 0) command.ownWords = words.filter((word) => !given.has(word));
    for (const item of started) this.follow(item, command, [...via, program], depth, wrappers);
    if (!started.some(({ dynamic }) => dynamic)) return;
    for (const script of partialScriptsOf(command))
      this.pending.push({ script, via: [...via, program], depth: depth + 1, isPartial: true });
  }

  private follow(
    item: Wrapped,
    wrapper: SimpleCommand,
    via: string[],
    depth: number,
    wrappers: number,
  ): void {
    if (item.dynamic) wrapper.dynamic = true;
    wrapper.alternatives.push(...(item.alternatives ?? []));
    const assignments = [...wrapper.assignments, ...(item.assignments ?? []).map(assignmentOfWord)];
    if (item.assignments?.length) wrapper.assignments = assignments;
    if (item.script !== undefined) {
      if (item.script.trim()) this.pending.push({ script: item.script, via, depth: depth + 1 });
    } else if (item.words) {
      const { redirections } = wrapper;
      const openArguments = item.openArguments || wrapper.openArguments;
      this.add({ words: item.words, assignments, redirections, openArguments }, via, depth, wrappers + 1);
    }
  }
}

/** `test -v 'a[$(id)]'` runs `id`, and `test -v 'a[PATH=1]'` sets `PATH`. */
function isExpandedLater({ literal, text }: Word): boolean {
  return literal && /\$\(|`|\$\{|\[[^\]]*(?:=|\+\+|--)/.test(text);
}

/** A shell may read its script from a here-document of the same line. */
function startedBy(command: SimpleCommand, program: string): Wrapped[] {
  const started = wrappedBy(program, command.words.slice(1));
  const inputs = command.redirections.filter(({ kind }) => kind !== 'output');
  const input = inputs.length === 1 ? inputs[0]?.body : undefined;
  const readsInput = started.length === 1 && started[0]?.readsInput;
  if (!readsInput || input === undefined) return started;
  const shell = ['.', 'source', 'bash'].includes(program) ? 'bash' : isShell(program) ? program : 'sh';
  return [asReadBy(shell, { script: input })];
}

function assignmentOfWord({ text, literal }: Word): Assignment {
  const split = text.indexOf('=');
  return { name: text.slice(0, split), value: text.slice(split + 1), literal };
}
