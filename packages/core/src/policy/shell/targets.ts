/** Words as targets of removals: what they may mean in their line, and whether that is protected. */
import { basename } from 'node:path';
import type { ProtectedPaths } from './protected-paths.js';
import { homesOf, pathTextsOf, type Surroundings } from './surroundings.js';
import { assignmentsIn, type Values, valuesOfWord } from './target-values.js';
import type { Assignment, ParsedCommand, SimpleCommand, Word } from './types.js';

export class Targets {
  /** Names that the line makes links of: what they point to is not known yet. Undefined: it makes none. */
  private readonly links: ReadonlySet<string> | undefined;
  private readonly isSomewhere: boolean;
  private readonly assignments: readonly Assignment[];

  constructor(
    parsed: ParsedCommand,
    private readonly around: Surroundings,
    readonly protectedPaths: ProtectedPaths,
  ) {
    this.assignments = assignmentsIn(parsed);
    const makers = parsed.commands.filter(
      ({ name, words }) => /^g?ln$/.test(basename(name)) || copiesAsLinks(name, words),
    );
    if (makers.length > 0) this.links = new Set(makers.flatMap((maker) => namesMadeBy(maker, around)));
    const entersLink = parsed.commands.some(
      ({ name, words }) =>
        /^(?:cd|pushd)$/.test(name) && words.slice(1).some(({ text }) => this.passesLink(`${text}/`)),
    );
    this.isSomewhere = protectedPaths.places.unknown || entersLink;
  }

  valuesOf(word: Word): Values {
    return valuesOfWord(word, this.assignments, this.around, this.protectedPaths.places.bases);
  }

  /** Removing it recursively, or moving it away, would take what is protected. */
  readonly isThreat = (word: Word): boolean => {
    const { values, unknown } = this.valuesOf(word);
    if (unknown) return true;
    return values.some((value) => {
      if (this.isSomewhere && this.protectedPaths.meetsFromAnywhere(value)) return true;
      // `~+` is the working directory, `~-` the one before, `~name` the home of a user.
      if (/^~[^/]/.test(value) || this.passesLink(value)) return true;
      return this.textsOf(value).some((text) => this.protectedPaths.meets(text, this.links !== undefined));
    });
  };

  /** A file that git cannot do without; one that is not in the text is none. */
  readonly isVital = (word: Word): boolean =>
    this.valuesOf(word).values.some((value) =>
      this.textsOf(value).some((text) => this.protectedPaths.isVitalToGit(text)),
    );

  readonly isOfGit = (word: Word): boolean =>
    this.valuesOf(word).values.some((value) =>
      this.textsOf(value).some((text) => this.protectedPaths.isOfGit(text)),
    );

  isFolder(word: Word): boolean {
    const { walker } = this.protectedPaths.places;
    return this.pathsOf(word).some((path) => walker.isDirectory(path));
  }

  /** Real paths it may mean. */
  pathsOf(word: Word): string[] {
    const { bases, walker } = this.protectedPaths.places;
    const texts = this.valuesOf(word).values.flatMap((value) => this.textsOf(value));
    return texts.flatMap((text) => bases.map(({ real }) => walker.walk(text, real).path));
  }

  private textsOf(value: string): string[] {
    return pathTextsOf({ text: value, tilde: value.startsWith('~') }, this.around) ?? [value];
  }

  /** A slash behind the link leads through it. */
  private passesLink(value: string): boolean {
    const onTheWay = value.split('/').slice(0, -1);
    return (
      this.links !== undefined && onTheWay.some((name) => this.links?.has(name) || this.links?.has(ANY_NAME))
    );
  }
}

/** A link whose name is not in the text. */
const ANY_NAME = '*';

function copiesAsLinks(name: string, words: readonly Word[]): boolean {
  return basename(name) === 'cp' && words.some(({ text }) => /^-[A-Za-z]*s|^--sy/.test(text));
}

function namesMadeBy({ words }: SimpleCommand, around: Surroundings): string[] {
  return words
    .slice(1)
    .filter(({ text }) => !text.startsWith('-'))
    .flatMap(({ text, tilde }) => {
      if (tilde && !text.includes('/')) return homesOf(around).map((home) => basename(home));
      const name = basename(text).replace(/"/g, '');
      return /[$`{*?[]/.test(name) ? [ANY_NAME] : [name];
    })
    .filter((name) => !/^\.{0,2}$/.test(name));
}
