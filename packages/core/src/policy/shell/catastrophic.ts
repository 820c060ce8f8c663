/** Removal, overwriting or moving away of what cannot be had again: asked for in every mode. */
import { basename, dirname, join, normalize, resolve, sep } from 'node:path';
import { isInside, realPathOf } from '../../platform/real-path.js';
import { isLimitedFind } from './find-limits.js';
import { globPattern, globsOnTheWay } from './glob-targets.js';
import { homesOf, type Places, pathTextsOf, placesOf, type Surroundings } from './surroundings.js';
import { valuesOfWord } from './target-values.js';
import type { ParsedCommand, SimpleCommand, Word } from './types.js';

/** What is in danger, in words for the user; undefined when nothing is. */
export function catastropheIn(
  parsed: ParsedCommand,
  around: Surroundings,
  places: Places = placesOf(parsed, around),
): string | undefined {
  const protectedPaths = new ProtectedPaths(around, places);
  for (const command of parsed.commands) {
    const isThreat = (word: Word) => threatens(word, parsed, around, protectedPaths);
    const target = threatenedBy(command, isThreat, protectedPaths);
    if (target !== undefined) return `${basename(command.name) || 'a redirection'} ${target}`.trim();
  }
  return undefined;
}

type IsThreat = (word: Word) => boolean;

function threatenedBy(
  command: SimpleCommand,
  isThreat: IsThreat,
  protectedPaths: ProtectedPaths,
): string | undefined {
  const args = command.words.slice(1);
  const operands = operandsOf(args);
  const threatened = () => operands.find(isThreat)?.source;
  const device = command.redirections.find(({ kind, target }) => kind === 'output' && isDisk(target?.text))
    ?.target?.source;
  if (device !== undefined) return device;
  // Some systems call those of GNU `grm`, `gfind` and so on.
  switch (basename(command.name).replace(/^g(?=(?:rm|rmdir|mv|find|shred|chmod|chown|chgrp)$)/, '')) {
    case 'rm':
      if (!hasOption(args, /^-[A-Za-z]*[rR]|^--r/) && args.every(({ literal }) => literal)) return undefined;
      return threatened() ?? (isFedFromElsewhere(command) ? 'with targets from its input' : undefined);
    case 'rmdir':
    case 'shred':
    case 'chmod':
    case 'chown':
    case 'chgrp': {
      const recursive = hasOption(args, /^-[A-Za-z]*[Ru]|^--rec|^--rem/);
      return recursive ? threatened() : undefined;
    }
    case 'mv':
      return operands.slice(0, hasOption(args, /^-[A-Za-z]*t|^--t/) ? undefined : -1).find(isThreat)?.source;
    case 'rimraf':
    case 'trash':
    case 'trash-put':
      return threatened();
    case 'find':
    case 'bfs':
      return unlimitedFind(args, isThreat, protectedPaths);
    case 'rsync':
      return hasOption(args, /^--del/) ? operands.slice(-1).find(isThreat)?.source : undefined;
    case 'dd':
      return args.find(({ text }) => text.startsWith('of=') && isDisk(text.slice(3)))?.source;
    case 'tee':
    case 'cp':
    case 'wipefs':
    case 'blkdiscard':
      return operands.find(({ text }) => isDisk(text))?.source;
    default:
      return /^mkfs(?:\.|$)/.test(basename(command.name)) ? args.at(-1)?.source : undefined;
  }
}

function operandsOf(args: readonly Word[]): Word[] {
  const end = args.findIndex(({ text }) => text === '--');
  const before = end < 0 ? args : args.slice(0, end);
  return [...before.filter(({ text }) => !text.startsWith('-')), ...(end < 0 ? [] : args.slice(end + 1))];
}

function hasOption(args: readonly Word[], pattern: RegExp): boolean {
  const end = args.findIndex(({ text }) => text === '--');
  return args
    .slice(0, end < 0 ? args.length : end)
    .some(({ text, literal }) => pattern.test(text) || !literal);
}

function isFedFromElsewhere({ openArguments, via }: SimpleCommand): boolean {
  return openArguments && via.some((name) => name === 'xargs' || name === 'parallel');
}

function isDisk(path: string | undefined): boolean {
  return /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper\/|md|dm-|rdisk)/.test(normalize(path ?? ''));
}

function unlimitedFind(
  args: readonly Word[],
  isThreat: IsThreat,
  protectedPaths: ProtectedPaths,
): string | undefined {
  const removes = args.some(
    ({ text }, index) =>
      text === '-delete' ||
      (/^-(?:exec|ok)/.test(text) && /^(?:rm|shred|mv)$/.test(basename(args[index + 1]?.text ?? ''))),
  );
  if (!removes || isLimitedFind(args)) return undefined;
  const firstTest = args.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPDO]/.test(text));
  const roots = args
    .slice(0, firstTest < 0 ? args.length : firstTest)
    .filter(({ text }) => !text.startsWith('-'));
  if (roots.length === 0) return protectedPaths.meets('.') ? '.' : undefined;
  return roots.find(isThreat)?.source;
}

function threatens(
  word: Word,
  parsed: ParsedCommand,
  around: Surroundings,
  protectedPaths: ProtectedPaths,
): boolean {
  const { bases, unknown: isSomewhere } = protectedPaths.places;
  const { values, unknown } = valuesOfWord(word, parsed.assignments, around, bases);
  if (unknown) return true;
  // What a link made by the same line points to is not known yet.
  const makesLinks = parsed.commands.some(({ name }) => basename(name) === 'ln');
  return values.some((value) => {
    if (isSomewhere && protectedPaths.meetsFromAnywhere(value)) return true;
    const tilde = value.startsWith('~');
    // `~+` is the working directory, `~-` the one before, `~name` the home of a user.
    if (tilde && !/^~(?:\/|$)/.test(value)) return true;
    const texts = pathTextsOf({ text: value, tilde }, around) ?? [value];
    return texts.some((text) => protectedPaths.meets(text, makesLinks));
  });
}

/** The roots, all that contains them, and what lies directly below `/` and in `.git`. */
class ProtectedPaths {
  private readonly exact = new Set<string>();
  private readonly gitFolders: string[];

  constructor(
    private readonly around: Surroundings,
    readonly places: Places,
  ) {
    const { workspaces } = around;
    for (const path of [...homesOf(around), ...workspaces].flatMap((item) => [item, realPathOf(item)])) {
      for (let current = normalize(path); ; current = dirname(current)) {
        this.exact.add(current);
        if (dirname(current) === current) break;
      }
    }
    this.gitFolders = workspaces.map((path) => join(path, '.git'));
    for (const path of this.gitFolders) this.exact.add(path);
  }

  /**
   * From wherever the command may stand: by its text, by where the kernel arrives, and as a link that is not followed.
   * @param isOpen `..` behind something that does not exist yet may lead anywhere
   */
  meets(text: string, isOpen = false, bases = this.places.bases): boolean {
    const { walker } = this.places;
    return bases.some(({ logical, real }) => {
      const inner = globsOnTheWay(text, real);
      if (inner === undefined || inner.some((path) => this.meets(path, isOpen, [{ logical: real, real }])))
        return true;
      const clean = text.replace(/(?<=.)\/+$/, '');
      const folder = walker.walk(clean.includes('/') ? dirname(clean) : '.', real);
      const whole = /[*?[]/.test(basename(clean)) ? folder : walker.walk(clean, real);
      if (
        [folder, whole].some(
          ({ certainty }) => certainty === 'unknown' || (isOpen && certainty === 'guessed'),
        )
      )
        return true;
      const itself = /^\.{0,2}$/.test(basename(clean)) ? whole.path : join(folder.path, basename(clean));
      return [resolve(logical, clean), itself, whole === folder ? itself : whole.path].some((path) =>
        this.hasExactly(path),
      );
    });
  }

  /** For commands behind a `cd` to a place that is not in the text: it may be any of ours. */
  meetsFromAnywhere(value: string): boolean {
    if (value.startsWith('/')) return false;
    if (/^(?:\.{0,2}\/*)*(?:\.|\*|\.\*)?\/*$/.test(value)) return true;
    const { workspaces } = this.around;
    const roots = [...homesOf(this.around), ...workspaces].map((path) => ({ logical: path, real: path }));
    if (this.meets(value, false, roots)) return true;
    return this.gitFolders.some((folder) => this.places.walker.exists(resolve(folder, value)));
  }

  private hasExactly(clean: string): boolean {
    if (this.exact.has(clean)) return true;
    const parent = dirname(clean);
    const name = basename(clean);
    if (parent === sep || this.gitFolders.some((folder) => isInside(clean, folder))) return true;
    // `x/*`: everything in it is as good as itself.
    if (/^[*?.[\]!]*\*[*?.[\]!]*$/.test(name) && this.exact.has(parent)) return true;
    if (!/[*?[]/.test(clean)) return false;
    const pattern = globPattern(clean);
    return [...this.exact].some((item) => pattern.test(item));
  }
}
