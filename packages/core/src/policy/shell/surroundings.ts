/** Where the commands of a line would run, and which paths their words mean there. */
import { isAbsolute, resolve } from 'node:path';
import { PathWalker, type WalkedPath } from '../../platform/files/kernel-path.js';
import { directoriesEntered } from './entered-directories.js';
import type { Assignment, ParsedCommand, Word } from './types.js';

export interface Surroundings {
  cwd: string;
  /** Real paths. */
  workspaces: readonly string[];
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** A shell keeps the name it came by (`$PWD`); `cd ..` goes by that name, every other path by the real folder. */
export interface Place {
  logical: string;
  real: string;
}

export interface Places {
  /** Where the commands may stand, if each `cd` runs once, in the order of the text. */
  bases: readonly Place[];
  /** Those, and where a `cd` in a loop or function may lead. */
  reachable: readonly Place[];
  /** Some `cd` goes to a place that is not in the text. */
  unknown: boolean;
  /** No place depends on folders that do not exist yet, or on a changed `$PWD`. */
  certain: boolean;
  walker: PathWalker;
  /** Answers that hold for every command of the line. */
  answers: Map<string, boolean>;
}

/** Asked for by many commands, found out once. */
export function answerOnce({ answers }: Places, question: string, find: () => boolean): boolean {
  const known = answers.get(question);
  if (known !== undefined) return known;
  const answer = find();
  answers.set(question, answer);
  return answer;
}

const MOST_PLACES = 16;

/** Every directory some command of the line may run in. @param environment variables of the call itself */
export function placesOf(
  parsed: Pick<ParsedCommand, 'commands' | 'assignments'>,
  around: Surroundings,
  environment: readonly Assignment[] = [],
): Places {
  const search = new PlaceSearch(around);
  const entered = parsed.commands.flatMap(directoriesEntered);
  for (const target of entered) search.enter(target, search.places());
  const bases = search.places();
  search.repeat(entered);
  const assignments = [
    ...environment,
    ...parsed.assignments,
    ...parsed.commands.flatMap((command) => command.assignments),
  ];
  const movesName = assignments.some(({ name }) => /^(?:OLD)?PWD$/i.test(name));
  return {
    bases,
    reachable: search.places(),
    unknown: search.unknown,
    certain: search.certain && !search.unknown && !movesName,
    walker: search.walker,
    answers: new Map(),
  };
}

/** The real folders among them. */
export function foldersOf(places: readonly Place[]): string[] {
  return [...new Set(places.map(({ real }) => real))];
}

/** `~`: bash takes HOME, which need not be the home we work with. */
export function homesOf({ home, env }: Surroundings): string[] {
  return [...new Set([home, env['HOME'] || home])];
}

/** Texts of the path that a word may mean, `..` and links still in it. Undefined: `~user`, `~+` and the like. */
export function pathTextsOf(
  { text, tilde, source = text }: Pick<Word, 'text' | 'tilde'> & { source?: string },
  around: Surroundings,
): string[] | undefined {
  if (!tilde) return [text];
  // Quotes in `~"/x"` make it a name.
  if (!/^~(?:\/|$)/.test(text) || !/^~(?:\/|$)/.test(source)) return undefined;
  return homesOf(around).map((home) => home + text.slice(1));
}

/** Where a word leads from each of these places. Undefined: cannot be told. */
export function walkWord(
  word: Parameters<typeof pathTextsOf>[0],
  from: readonly Place[],
  around: Surroundings,
  walker: PathWalker,
): WalkedPath[] | undefined {
  const texts = pathTextsOf(word, around);
  return texts?.flatMap((text) => {
    if (isAbsolute(text)) return [walker.walk(text, '/')];
    return foldersOf(from).map((folder) => walker.walk(text, folder));
  });
}

class PlaceSearch {
  readonly walker = new PathWalker();
  unknown = false;
  certain = true;
  private readonly found = new Map<string, Place>();

  constructor(private readonly around: Surroundings) {
    const { cwd, env } = around;
    const start = this.walker.walk(cwd, '/');
    this.note(start);
    this.add({ logical: start.path, real: start.path });
    // Bash believes an inherited PWD that names the folder it stands in.
    for (const name of [cwd, env['PWD'] ?? '']) {
      if (isAbsolute(name) && this.walker.walk(name, '/').path === start.path)
        this.add({ logical: resolve(name), real: start.path });
    }
  }

  places(): Place[] {
    return [...this.found.values()];
  }

  /** By the name, as `cd` does, and by the real folder, as `cd -P` does: options and settings decide which. */
  enter(target: Word | 'home' | undefined, from: readonly Place[], onlyExisting = false): void {
    const texts = target === 'home' ? homesOf(this.around) : target && pathTextsOf(target, this.around);
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

  /** Until nothing new is found: `for i in 1 2 3; do cd ..; done`. */
  repeat(targets: readonly (Word | 'home' | undefined)[]): void {
    if (targets.length === 0) return;
    for (let before = -1; before !== this.found.size && !this.unknown; ) {
      before = this.found.size;
      for (const target of targets) this.enter(target, this.places(), true);
    }
  }

  /** `cd src` looks for `src` in the folders of CDPATH first. */
  private withSearchPath(text: string): string[] {
    const folders = this.around.env['CDPATH'];
    if (!folders || /^(?:\/|\.{1,2}(?:\/|$))/.test(text)) return [text];
    return [text, ...folders.split(':').map((folder) => `${folder || '.'}/${text}`)];
  }

  private note({ certainty }: WalkedPath): void {
    if (certainty === 'unknown') this.unknown = true;
    if (certainty !== 'certain') this.certain = false;
  }

  private add(place: Place): void {
    const key = `${place.logical}\0${place.real}`;
    if (this.found.has(key)) return;
    if (this.found.size >= MOST_PLACES) this.unknown = true;
    else this.found.set(key, place);
  }
}
