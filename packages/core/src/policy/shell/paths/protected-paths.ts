/** Paths that no removal may touch unasked: home, workspaces, their parents, all directly below `/`, and `.git`. */
import { basename, dirname, join, normalize, relative, resolve, sep } from 'node:path';
import { isInside, realPathOf } from '../../../platform/files/real-path.js';
import { globPattern, globsOnTheWay } from './glob-targets.js';
import { homesOf, type ShellContext, type WorkingDirectories } from './working-directories.js';

/** Temporary files in `.git`, and those that users write by hand. */
const PASSING = /\.lock$|_(?:EDIT)?MSG$|^(?:hooks|info)\/|^MERGE_/;

export class ProtectedPaths {
  private readonly exact = new Set<string>();
  private readonly gitFolders: string[];

  constructor(
    context: ShellContext,
    readonly directories: WorkingDirectories,
  ) {
    const { workspaces } = context;
    for (const path of [...homesOf(context), ...workspaces].flatMap((item) => [item, realPathOf(item)])) {
      for (let current = normalize(path); ; current = dirname(current)) {
        this.exact.add(current);
        if (dirname(current) === current) break;
      }
    }
    this.gitFolders = workspaces.map((path) => join(path, '.git'));
    for (const path of this.gitFolders) this.exact.add(path);
  }

  get all(): string[] {
    return [...this.exact].filter((path) => path !== sep);
  }

  /**
   * Whether the path is protected from any working directory: by its text, as resolved by the kernel, or as a link.
   * @param isOpen the line makes links, so `..` after something that does not exist yet may lead anywhere
   */
  meets(text: string, isOpen = false, bases = this.directories.bases): boolean {
    const { walker } = this.directories;
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

  /** The same after a `cd` to an unknown directory, which may be any protected one. */
  meetsFromAnywhere(value: string): boolean {
    if (value.startsWith('/')) return false;
    if (/^(?:\.{0,2}\/*)*(?:\.|\*|\.\*)?\/*$/.test(value)) return true;
    const folders = this.all.filter((path) => !this.gitFolders.includes(path));
    const roots = folders.map((path) => ({ logical: path, real: path }));
    if (this.meets(value, false, roots) || this.exact.has(resolve(sep, value))) return true;
    return this.gitFolders.some((folder) => this.directories.walker.exists(resolve(folder, value)));
  }

  /** Whether writing this file damages the repository. */
  isVitalToGit(text: string): boolean {
    return this.pathsOf(text).some((path) =>
      this.gitFolders.some((folder) => isInside(path, folder) && !PASSING.test(relative(folder, path))),
    );
  }

  isOfGit(text: string): boolean {
    return this.pathsOf(text).some((path) => this.gitFolders.some((folder) => isInside(path, folder)));
  }

  private pathsOf(text: string): string[] {
    const { bases, walker } = this.directories;
    return bases.flatMap(({ logical, real }) => {
      const inner = globsOnTheWay(text, real) ?? [];
      return [...inner, text].flatMap((item) => [resolve(logical, item), walker.walk(item, real).path]);
    });
  }

  /** With `globstar`, `a/**` matches everything below. */
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
    // `x/*` is as bad as `x` itself.
    if (/^[*?.[\]!]*\*[*?.[\]!]*$/.test(name) && this.exact.has(parent)) return true;
    if (!/[*?[]/.test(clean)) return false;
    const pattern = globPattern(clean);
    return [...this.exact].some((item) => pattern.test(item));
  }
}
