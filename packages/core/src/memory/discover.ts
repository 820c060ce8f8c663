/** Finds a session's context files, in order of precedence, without reading them. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf } from '../base/errors.js';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import { type FileVersion, versionOf } from '../platform/files/safe-read.js';
import { isDirectory } from '../platform/files/try-read.js';
import { foldersBetween, foldersUpFrom } from './folders.js';
import { type ContextFileNames, contextFileNames, mayBeGlobal } from './names.js';
import type { FoundFile, MemoryProblem, MemorySettings, MemoryTier } from './types.js';

/** The parts of the session that discovery needs. */
export interface MemoryEnvironment {
  settings(): MemorySettings;
  /** The user's home. */
  home: string;
  /** `~/.gemini`. */
  globalDir: string;
  /** The user's private memory about this project. */
  privateDir: string;
  /** Real paths; the project root first. */
  directories(): readonly string[];
  /** False: the project's files are ignored. */
  isTrusted(): boolean;
  /** The user refused to trust this folder, though another one is trusted. Called only when a file exists. */
  isRefused?(folder: string): boolean;
  /** `.geminiignore`. Called only when a file exists. */
  ignoresFile?(path: string): boolean;
  /** Folders that are not the project's own work: dependencies, build output. */
  ignoresFolder?(path: string): boolean;
  /** Context files of active extensions, each with the folder it must stay in. */
  extensionFiles?(): readonly { path: string; folder: string }[];
}

export interface Discovery {
  files: FoundFile[];
  problems: MemoryProblem[];
}

const PRIVATE_FILE = 'MEMORY.md';

/** @param directories workspace directories to search */
export function discoverAtStart(environment: MemoryEnvironment, directories: readonly string[]): Discovery {
  const search = new Search(environment);
  search.addGlobal();
  search.addPrivate();
  search.addExtensions();
  if (environment.isTrusted()) for (const directory of directories) search.addProject(directory);
  return search;
}

/** Files in the folders between a workspace directory and a path that a tool touched. */
export function discoverLater(environment: MemoryEnvironment, path: string): Discovery {
  const search = new Search(environment);
  if (environment.isTrusted()) search.addTouched(realPathOf(path));
  return search;
}

/** Two names of one file have the same identity. */
export function identityOf({ version }: { version: FileVersion }): string {
  return `${version.device}:${version.inode}`;
}

class Search implements Discovery {
  readonly files: FoundFile[] = [];
  readonly problems: MemoryProblem[];
  private readonly settings: MemorySettings;
  private readonly names: ContextFileNames;
  private readonly seen = new Set<string>();

  constructor(private readonly environment: MemoryEnvironment) {
    this.settings = environment.settings();
    this.names = contextFileNames(this.settings.fileName);
    this.problems = [...this.names.problems];
  }

  /** The user's own file may be a link to any place. */
  addGlobal(): void {
    const { globalDir } = this.environment;
    const names = { names: this.names.names.filter(mayBeGlobal), instead: this.names.instead };
    this.addFolder(globalDir, 'global', names, { roots: () => [globalDir], isOwn: true });
  }

  addPrivate(): void {
    const { privateDir } = this.environment;
    const legacy = this.names.names.filter(mayBeGlobal);
    this.addFolder(
      privateDir,
      'private',
      { names: [PRIVATE_FILE], instead: legacy },
      { roots: () => [privateDir] },
    );
  }

  addExtensions(): void {
    const files = this.environment.extensionFiles?.() ?? [];
    for (const { path, folder } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
      this.add(path, 'extension', { roots: () => [folder] });
    }
  }

  addProject(directory: string): void {
    const folders = foldersUpFrom(directory, this.folderSearch());
    const roots = () => this.rootsWith(folders[0] ?? directory);
    for (const folder of folders) this.addFolder(folder, 'project', this.names, { roots });
  }

  addTouched(real: string): void {
    const workspace = this.environment
      .directories()
      .filter((directory) => isInside(real, directory))
      .reduce((longest, directory) => (directory.length > longest.length ? directory : longest), '');
    if (workspace === '') return;
    const folder = isDirectory(real) ? real : join(real, '..');
    const roots = () => this.rootsWith(foldersUpFrom(workspace, this.folderSearch())[0] ?? workspace);
    for (const current of foldersBetween(workspace, folder, this.folderSearch())) {
      this.addFolder(current, 'later', this.names, { roots, mayBeForeign: current !== workspace });
    }
  }

  private addFolder(
    folder: string,
    tier: MemoryTier,
    { names, instead }: Pick<ContextFileNames, 'names' | 'instead'>,
    rules: FolderRules,
  ): void {
    const add = (name: string) => this.add(join(folder, name), tier, rules);
    const found = names.map(add).includes(true);
    if (!found) instead.some(add);
  }

  /** True when the name exists, usable or not. */
  private add(path: string, tier: MemoryTier, rules: FolderRules): boolean {
    const version = this.look(path);
    if (!version) return false;
    const roots = rules.roots();
    const authorize = authorizer(path, roots, rules.isOwn);
    const file: FoundFile = { path, tier, version, roots, authorize };
    if (this.seen.has(identityOf(file)) || !this.isWanted(path, tier, rules)) return true;
    this.seen.add(identityOf(file));
    this.files.push(file);
    return true;
  }

  private look(path: string): FileVersion | undefined {
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats && !stats.isDirectory() ? versionOf(stats) : undefined;
    } catch (error) {
      this.problems.push({ path, message: `cannot be looked at: ${messageOf(error)}` });
      return undefined;
    }
  }

  private isWanted(path: string, tier: MemoryTier, { mayBeForeign }: FolderRules): boolean {
    if (tier !== 'project' && tier !== 'later') return true;
    const { isRefused, ignoresFile, ignoresFolder } = this.environment;
    const folder = join(path, '..');
    if (mayBeForeign && ignoresFolder?.(folder)) return false;
    return !isRefused?.(folder) && !ignoresFile?.(path);
  }

  private folderSearch() {
    const { boundaryMarkers: markers, maxDirs } = this.settings;
    return { markers, maxDirs };
  }

  /** A home directory under version control is not a project: its other files belong to the user. */
  private rootsWith(outermost: string): string[] {
    const isTooWide = isInside(realPathOf(this.environment.home), outermost);
    return [...this.environment.directories(), ...(isTooWide ? [] : [outermost])];
  }
}

interface FolderRules {
  /** Called only when a file exists. */
  roots(): readonly string[];
  /** Made by the user: its links may lead anywhere. */
  isOwn?: boolean;
  /** May lie in a dependency. */
  mayBeForeign?: boolean;
}

function authorizer(path: string, roots: readonly string[], isOwn = false): FoundFile['authorize'] {
  return (real) => {
    if (isOwn || roots.some((root) => isInside(real, realPathOf(root)))) return null;
    // The file itself, not a link: it may be above all roots.
    if (real === join(realPathOf(join(path, '..')), basename(path))) return null;
    return `${path} is a link that leads out of the workspace, to ${real}.`;
  };
}
