/** What a removal must not meet unasked: the roots, all that contains them, what lies below `/` and in `.git`. */
import { basename, dirname, join, normalize, relative, resolve, sep } from 'node:path';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { globPattern, globsOnTheWay } from './glob-targets.js';
import { homesOf, type Places, type Surroundings } from './surroundings.js';

/** Files of `.git` that come and go, or that users write by hand. */
const PASSING = /\.lock$|_(?:EDIT)?MSG$|^(?:hooks|info)\/|^MERGE_/;

export class ProtectedPaths {
  private readonly exact = new Set<string>();
  private readonly gitFolders: string[];

  constructor(
    around: Surroundings,
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

  /** All of them, for those who compare names. */
  get all(): string[] {
    return [...this.exact].filter((path) => path !== sep);
  }

  /**
   * From wherever the command may stand: by its text, by where the kernel arrives, and as a link that is not followed.
   * @param isOpen `..` behind something that does not exist yet may lead anywhere
   */
  meets(text: string, isOpen = false, bases = this.places.bases): boolean {
    const { walker } = this.places;
    return bases.some(({ logical, real }) => {
      if (this.meetsAtAnyDepth(text, real)) return true;
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
    const folders = this.all.filter((path) => !this.gitFolders.includes(path));
    const roots = folders.map((path) => ({ logical: path, real: path }));
    if (this.meets(value, false, roots) || this.exact.has(resolve(sep, value))) return true;
    return this.gitFolders.some((folder) => this.places.walker.exists(resolve(folder, value)));
  }

  /** Whether writing this file loses what git knows. */
  isVitalToGit(text: string): boolean {
    return this.pathsOf(text).some((path) =>
      this.gitFolders.some((folder) => isInside(path, folder) && !PASSING.test(relative(folder, path))),
    );
  }

  isOfGit(text: string): boolean {
    return this.pathsOf(text).some((path) => this.gitFolders.some((folder) => isInside(path, folder)));
  }

  private pathsOf(text: string): string[] {
    const { bases, walker } = this.places;
    return bases.flatMap(({ logical, real }) => {
      const inner = globsOnTheWay(text, real) ?? [];
      return [...inner, text].flatMap((item) => [resolve(logical, item), walker.walk(item, real).path]);
    });
  }

  /** With `globstar`, `a/**` goes down to whatever is in it. */
  private meetsAtAnyDepth(text: string, real: string): boolean {
    if (!text.includes('**')) return false;
    const pattern = globPattern(resolve(real, text), true);
    return [...this.exact].some((path) => pattern.test(path));
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
