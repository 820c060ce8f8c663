/** Decides what is ignored: custom ignore files win over `.geminiignore`, which wins over git's rules. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isInside } from '../platform/files/real-path.js';
import { tryReadText, tryStat } from '../platform/files/try-read.js';
import type { FileFilteringOptions } from './host.js';
import { IgnoreRules, type Verdict } from './ignore.js';

/** Git's ignore rules for one directory, nearest first; undefined outside a repository. */
export interface GitScope {
  directory: string;
  rules: IgnoreRules | undefined;
  outer: GitScope | undefined;
}

/** Caches ignore files by path and reads them again when they change. */
export class IgnoreFileCache {
  private readonly entries = new Map<string, { stamp: string; rules: IgnoreRules }>();

  read(path: string): IgnoreRules | undefined {
    const stats = tryStat(path);
    // Not a pipe or device, which could block or never end.
    if (!stats?.isFile() || stats.size > MAX_IGNORE_FILE_BYTES) return undefined;
    const stamp = `${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}:${stats.ino}`;
    const known = this.entries.get(path);
    if (known?.stamp === stamp) return known.rules;
    const text = tryReadText(path);
    if (text === undefined) return undefined;
    const rules = IgnoreRules.parse(text);
    this.entries.set(path, { stamp, rules });
    return rules;
  }
}

export const MAX_IGNORE_FILE_BYTES = 4 * 1024 * 1024;
export const GEMINI_IGNORE_NAMES = ['.geminiignore', '.gemini-ignore'];

/** A consistent snapshot of the rules for one check or one walk. */
export class IgnoreFilter {
  /** Rules relative to the project root, highest precedence first. */
  readonly overrides: readonly IgnoreRules[];

  constructor(
    readonly projectRoot: string,
    private readonly files: IgnoreFileCache,
    readonly options: FileFilteringOptions,
    /** `~/.gemini` */
    private readonly programDirectory?: string,
  ) {
    const paths = options.customIgnoreFilePaths.map((path) => resolve(projectRoot, path));
    if (options.respectGeminiIgnore)
      paths.push(...GEMINI_IGNORE_NAMES.map((name) => join(projectRoot, name)));
    this.overrides = paths.map((path) => files.read(path)).filter((rules) => rules !== undefined);
  }

  get isActive(): boolean {
    return this.options.respectGitIgnore || this.overrides.some(({ rules }) => rules.length > 0);
  }

  /** Whether the path or one of its parents is ignored. */
  isPathIgnored(path: string, isDirectory: boolean): boolean {
    if (!this.isActive) return false;
    const scope = this.open(dirname(path));
    return scope === 'ignored' || this.isIgnored(scope, path, isDirectory);
  }

  /** Git's rules in `directory`, collected from the root of the file system down. */
  open(directory: string): GitScope | undefined | 'ignored' {
    return this.descend(directory).scope;
  }

  /** True where git ignores everything but this program does not. */
  isExemptFromGit(directory: string): boolean {
    const isProgramFile = !isInside(directory, this.projectRoot) && this.isProgramFile(directory);
    return isProgramFile || this.descend(directory).isExempt;
  }

  private isProgramFile(path: string): boolean {
    return this.programDirectory !== undefined && isInside(path, this.programDirectory);
  }

  private descend(directory: string): { scope: GitScope | undefined | 'ignored'; isExempt: boolean } {
    let scope: GitScope | undefined;
    let isExempt = false;
    for (const folder of foldersDownTo(directory)) {
      if (this.isIgnored(scope, folder, true)) {
        if (!isInside(this.projectRoot, folder)) return { scope: 'ignored', isExempt };
        // The project lies in a repository that ignores it (a home directory under git, for example):
        // those rules do not apply to the project's own files.
        scope = undefined;
        isExempt = true;
      }
      scope = this.enter(scope, folder, (name) => existsSync(join(folder, name)));
    }
    return { scope, isExempt };
  }

  /** The scope inside `directory`, given its parent's. A `.git` entry starts another repository. */
  enter(
    outer: GitScope | undefined,
    directory: string,
    has: (name: string) => boolean,
  ): GitScope | undefined {
    if (!this.options.respectGitIgnore) return undefined;
    let scope = outer;
    if (has('.git'))
      scope = { directory, rules: this.files.read(excludeFileOf(directory)), outer: undefined };
    if (!scope || !has('.gitignore')) return scope;
    return { directory, rules: this.files.read(join(directory, '.gitignore')), outer: scope };
  }

  /** Judges one entry by the scope of its folder, which must not be ignored itself. */
  isIgnored(scope: GitScope | undefined, path: string, isDirectory: boolean): boolean {
    const inProject = path !== this.projectRoot && isInside(path, this.projectRoot);
    if (inProject) {
      const verdict = this.judgeByOverrides(path, isDirectory);
      if (verdict) return verdict === 'ignored';
    } else if (this.isProgramFile(path)) {
      // Files in `~/.gemini` stay readable even if the home directory is a repository.
      return false;
    }
    for (let level = scope; level; level = level.outer) {
      const verdict = level.rules?.judge(relativePath(level.directory, path), isDirectory);
      if (verdict) return verdict === 'ignored';
    }
    return false;
  }

  private judgeByOverrides(path: string, isDirectory: boolean): Verdict | undefined {
    if (this.overrides.length === 0) return undefined;
    const below = relativePath(this.projectRoot, path);
    for (const rules of this.overrides) {
      const verdict = rules.judge(below, isDirectory);
      if (verdict) return verdict;
    }
    return undefined;
  }
}

/** `/a/b` gives `/`, `/a`, `/a/b`. */
function foldersDownTo(directory: string): string[] {
  const folders: string[] = [];
  for (let folder = directory; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (dirname(folder) === folder) return folders;
  }
}

function relativePath(directory: string, path: string): string {
  const below = path.slice(directory.endsWith(sep) ? directory.length : directory.length + 1);
  return sep === '/' ? below : below.replaceAll(sep, '/');
}

/** In a worktree or submodule `.git` is a file that names the real directory, which may name a common one. */
function excludeFileOf(repository: string): string {
  const dotGit = join(repository, '.git');
  if (!tryStat(dotGit)?.isFile()) return join(dotGit, 'info', 'exclude');
  const target = /^gitdir: (.+)$/m.exec(tryReadText(dotGit) ?? '')?.[1]?.trim() ?? '.git';
  const gitDirectory = isAbsolute(target) ? target : join(repository, target);
  const commonFile = join(gitDirectory, 'commondir');
  const common = tryStat(commonFile)?.isFile() ? tryReadText(commonFile)?.trim() : undefined;
  return join(common ? resolve(gitDirectory, common) : gitDirectory, 'info', 'exclude');
}
