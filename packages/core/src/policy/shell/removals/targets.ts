/** Decides whether a word, as the target of a removal, may mean a protected path. */
import { basename } from 'node:path';
import type { ProtectedPaths } from '../paths/protected-paths.js';
import { assignmentsIn, type Values, valuesOfWord } from '../paths/target-values.js';
import { homesOf, pathTextsOf, type ShellContext } from '../paths/working-directories.js';
import type { Assignment, ParsedCommand, SimpleCommand, Word } from '../types.js';

export class Targets {
  /** Names of links that the line makes; their targets are unknown. Undefined: it makes none. */
  private readonly links: ReadonlySet<string> | undefined;
  private readonly mayBeAnywhere: boolean;
  private readonly assignments: readonly Assignment[];

  constructor(
    parsed: ParsedCommand,
    private readonly context: ShellContext,
    readonly protectedPaths: ProtectedPaths,
  ) {
    this.assignments = assignmentsIn(parsed);
    const makers = parsed.commands.filter(
      ({ name, words }) => /^g?ln$/.test(basename(name)) || copiesAsLinks(name, words),
    );
    if (makers.length > 0) this.links = new Set(makers.flatMap((maker) => namesMadeBy(maker, context)));
    const entersLink = parsed.commands.some(
      ({ name, words }) =>
        /^(?:cd|pushd)$/.test(name) && words.slice(1).some(({ text }) => this.passesLink(`${text}/`)),
    );
    this.mayBeAnywhere = protectedPaths.directories.unknown || entersLink;
  }

  valuesOf(word: Word): Values {
    return valuesOfWord(word, this.assignments, this.context, this.protectedPaths.directories.bases);
  }

  /** Removing it recursively, or moving it, would affect a protected path. */
  readonly isThreat = (word: Word): boolean => {
    const { values, unknown } = this.valuesOf(word);
    if (unknown) return true;
    return values.some((value) => {
      if (this.mayBeAnywhere && this.protectedPaths.meetsFromAnywhere(value)) return true;
      // `~+` is the working directory, `~-` the previous one, `~name` a user's home.
      if (/^~[^/]/.test(value) || this.passesLink(value)) return true;
      return this.textsOf(value).some((text) => this.protectedPaths.meets(text, this.links !== undefined));
    });
  };

  /** The repository needs this file; unknown values count as harmless. */
  readonly isVital = (word: Word): boolean =>
    this.valuesOf(word).values.some((value) =>
      this.textsOf(value).some((text) => this.protectedPaths.isVitalToGit(text)),
    );

  readonly isOfGit = (word: Word): boolean =>
    this.valuesOf(word).values.some((value) =>
      this.textsOf(value).some((text) => this.protectedPaths.isOfGit(text)),
    );

  isFolder(word: Word): boolean {
    const { walker } = this.protectedPaths.directories;
    return this.pathsOf(word).some((path) => walker.isDirectory(path));
  }

  /** The real paths that the word may mean. */
  pathsOf(word: Word): string[] {
    const { bases, walker } = this.protectedPaths.directories;
    const texts = this.valuesOf(word).values.flatMap((value) => this.textsOf(value));
    return texts.flatMap((text) => bases.map(({ real }) => walker.walk(text, real).path));
  }

  private textsOf(value: string): string[] {
    return pathTextsOf({ text: value, tilde: value.startsWith('~') }, this.context) ?? [value];
  }

  /** A slash after the name of a link follows it. */
  private passesLink(value: string): boolean {
    const onTheWay = value.split('/').slice(0, -1);
    return (
      this.links !== undefined && onTheWay.some((name) => this.links?.has(name) || this.links?.has(ANY_NAME))
    );
  }
}

/** Stands for a link whose name is not in the text. */
const ANY_NAME = '*';

function copiesAsLinks(name: string, words: readonly Word[]): boolean {
  return basename(name) === 'cp' && words.some(({ text }) => /^-[A-Za-z]*s|^--sy/.test(text));
}

function namesMadeBy({ words }: SimpleCommand, context: ShellContext): string[] {
  return words
    .slice(1)
    .filter(({ text }) => !text.startsWith('-'))
    .flatMap(({ text, tilde }) => {
      if (tilde && !text.includes('/')) return homesOf(context).map((home) => basename(home));
      const name = basename(text).replace(/"/g, '');
      return /[$`{*?[]/.test(name) ? [ANY_NAME] : [name];
    })
    .filter((name) => !/^\.{0,2}$/.test(name));
}
