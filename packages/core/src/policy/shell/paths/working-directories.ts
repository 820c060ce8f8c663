/** Finds the directories in which commands of a line may run, and the paths that words mean there. */
import { isAbsolute, resolve } from 'node:path';
import { PathWalker, type WalkedPath } from '../../../platform/files/kernel-path.js';
import type { Assignment, ParsedCommand, Word } from '../types.js';
import { directoriesEntered } from './entered-directories.js';

export interface ShellContext {
  cwd: string;
  /** Real paths. */
  workspaces: readonly string[];
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** A shell remembers the path it used (`$PWD`): `cd ..` follows that path, all other paths the real folder. */
export interface WorkingDirectory {
  logical: string;
  real: string;
}

export interface WorkingDirectories {
  /** Where commands may run if each `cd` runs once, in the order of the text. */
  bases: readonly WorkingDirectory[];
  /** The same, and where a `cd` in a loop or function may lead. */
  reachable: readonly WorkingDirectory[];
  /** Some `cd` goes to a directory that is not in the text. */
  unknown: boolean;
  /** No directory depends on folders that do not exist yet, or on a changed `$PWD`. */
  certain: boolean;
  walker: PathWalker;
  /** Cached answers that hold for every command of the line. */
  answers: Map<string, boolean>;
}

/** Computes an answer once for all commands of the line. */
export function answerOnce({ answers }: WorkingDirectories, question: string, find: () => boolean): boolean {
  const known = answers.get(question);
  if (known !== undefined) return known;
  const answer = find();
  answers.set(question, answer);
  return answer;
}

const MAX_PLACES = 16;

/** @param environment variables of the call itself */
export function workingDirectoriesOf(
  parsed: Pick<ParsedCommand, 'commands' | 'assignments'>,
  context: ShellContext,
  environment: readonly Assignment[] = [],
): WorkingDirectories {
  const search = new DirectorySearch(context);
  const entered = parsed.commands.flatMap(directoriesEntered);
  for (const target of entered) search.enter(target, search.directories());
  const bases = search.directories();
  search.repeat(entered);
  const assignments = [
    ...environment,
    ...parsed.assignments,
    ...parsed.commands.flatMap((command) => command.assignments),
  ];
  const movesName = assignments.some(({ name }) => /^(?:OLD)?PWD$/i.test(name));
  return {
    bases,
    reachable: search.directories(),
    unknown: search.unknown,
    certain: search.certain && !search.unknown && !movesName,
    walker: search.walker,
    answers: new Map(),
  };
}

export function foldersOf(directories: readonly WorkingDirectory[]): string[] {
  return [...new Set(directories.map(({ real }) => real))];
}

/** What `~` may mean: bash uses HOME, which may differ from this program's home. */
export function homesOf({ home, env }: ShellContext): string[] {
  return [...new Set([home, env['HOME'] || home])];
}

/** Paths that a word may mean, with `..` and links unresolved. Undefined for `~user`, `~+` and the like. */
export function pathTextsOf(
  { text, tilde, source = text }: Pick<Word, 'text' | 'tilde'> & { source?: string },
  context: ShellContext,
): string[] | undefined {
  if (!tilde) return [text];
  // The quotes in `~"/x"` prevent expansion.
  if (!/^~(?:\/|$)/.test(text) || !/^~(?:\/|$)/.test(source)) return undefined;
  return homesOf(context).map((home) => home + text.slice(1));
}

/** Where a word leads from each of these directories. Undefined: it cannot be determined. */
export function walkWord(
  word: Parameters<typeof pathTextsOf>[0],
  from: readonly WorkingDirectory[],
  context: ShellContext,
  walker: PathWalker,
): WalkedPath[] | undefined {
  const texts = pathTextsOf(word, context);
  return texts?.flatMap((text) => {
    if (isAbsolute(text)) return [walker.walk(text, '/')];
    return foldersOf(from).map((folder) => walker.walk(text, folder));
  });
}

class DirectorySearch {
  readonly walker = new PathWalker();
  unknown = false;
  certain = true;
  private readonly found = new Map<string, WorkingDirectory>();

  constructor(private readonly context: ShellContext) {
    const { cwd, env } = context;
    const start = this.walker.walk(cwd, '/');
    this.note(start);
    this.add({ logical: start.path, real: start.path });
    // Bash keeps an inherited PWD that leads to its working directory.
    for (const name of [cwd, env['PWD'] ?? '']) {
      if (isAbsolute(name) && this.walker.walk(name, '/').path === start.path)
        this.add({ logical: resolve(name), real: start.path });
    }
  }

  directories(): WorkingDirectory[] {
    return [...this.found.values()];
  }

  /** Adds both the path by name, as for `cd`, and by the real folder, as for `cd -P`: options and settings decide. */
  enter(target: Word | 'home' | undefined, from: readonly WorkingDirectory[], onlyExisting = false): void {
    const texts = target === 'home' ? homesOf(this.context) : target && pathTextsOf(target, this.context);
    if (!texts) {
      this.unknown = true;
      return;
    }
    for (const place of from) {
      for (const text of texts.flatMap((item) => this.withSearchPath(item))) {
        if (this.unknown) return;
        const logical = resolve(place.logical, text);
        const byName = this.walker.walk(logical, '/');
        const byFolder = this.walker.walk(text, place.real);
        for (const [name, { path, certainty }] of [
          [logical, byName],
          [byFolder.path, byFolder],
        ] as const) {
          if (onlyExisting && !this.walker.isDirectory(path)) continue;
          this.note({ path, certainty });
          this.add({ logical: name, real: path });
        }
      }
    }
  }

  /** Repeats until nothing new is found: `for i in 1 2 3; do cd ..; done`. */
  repeat(targets: readonly (Word | 'home' | undefined)[]): void {
    if (targets.length === 0) return;
    for (let before = -1; before !== this.found.size && !this.unknown; ) {
      before = this.found.size;
      for (const target of targets) this.enter(target, this.directories(), true);
    }
  }

  /** `cd src` searches the folders of CDPATH first. */
  private withSearchPath(text: string): string[] {
    const folders = this.context.env['CDPATH'];
    if (!folders || /^(?:\/|\.{1,2}(?:\/|$))/.test(text)) return [text];
    return [text, ...folders.split(':').map((folder) => `${folder || '.'}/${text}`)];
  }

  private note({ certainty }: WalkedPath): void {
    if (certainty === 'unknown') this.unknown = true;
    if (certainty !== 'certain') this.certain = false;
  }

  private add(place: WorkingDirectory): void {
    const key = `${place.logical}\0${place.real}`;
    if (this.found.has(key)) return;
    if (this.found.size >= MAX_PLACES) this.unknown = true;
    else this.found.set(key, place);
  }
}
