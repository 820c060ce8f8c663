/** Finds the context files of a session, in the order in which they count, without reading them. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf } from '../base/errors.js';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import { type FileVersion, versionOf } from '../platform/files/safe-read.js';
import { foldersBetween, foldersUpFrom } from './folders.js';
import { type ContextFileNames, contextFileNames, mayBeGlobal } from './names.js';
import type { FoundFile, MemoryProblem, MemorySettings, MemoryTier } from './types.js';

/** What discovery must know of the session. */
export interface MemorySurroundings {
  settings(): MemorySettings;
  /** The user's home. */
  home: string;
  /** `~/.gemini`. */
  globalDir: string;
  /** Memory about this project that is the user's alone. */
  privateDir: string;
  /** Real paths; the project root first. */
  directories(): readonly string[];
  /** False: nothing of the project counts. */
  isTrusted(): boolean;
  /** The user has said no to this very folder, though another one is trusted. Asked only when a file is there. */
  isRefused?(folder: string): boolean;
  /** `.geminiignore`. Asked only when a file is there. */
  ignoresFile?(path: string): boolean;
  /** Folders that are not the project's own work: dependencies, what builds leave. */
  ignoresFolder?(path: string): boolean;
  /** Context files of active extensions, each with the folder it must stay in. */
  extensionFiles?(): readonly { path: string; folder: string }[];
}

export interface Discovery {
  files: FoundFile[];
  problems: MemoryProblem[];
}

const PRIVATE_FILE = 'MEMORY.md';

/** @param directories workspace directories whose files are wanted */
export function discoverAtStart(around: MemorySurroundings, directories: readonly string[]): Discovery {
  const search = new Search(around);
  search.addGlobal();
  search.addPrivate();
  search.addExtensions();
  if (around.isTrusted()) for (const directory of directories) search.addProject(directory);
  return search;
}

/** Files of the folders between a workspace directory and what a tool touched. */
export function discoverLater(around: MemorySurroundings, path: string): Discovery {
  const search = new Search(around);
  if (around.isTrusted()) search.addTouched(realPathOf(path));
  return search;
}

/** Two names of one file are one file. */
export function identityOf({ version }: { version: FileVersion }): string {
  return `${version.device}:${version.inode}`;
}

class Search implements Discovery {
  readonly files: FoundFile[] = [];
  readonly problems: MemoryProblem[];
  private readonly settings: MemorySettings;
  private readonly names: ContextFileNames;
  private readonly seen = new Set<string>();

  constructor(private readonly around: MemorySurroundings) {
    this.settings = around.settings();
    this.names = contextFileNames(this.settings.fileName);
    this.problems = [...this.names.problems];
  }

  /** The user's own file may be a link to wherever the user keeps such files. */
  addGlobal(): void {
    const { globalDir } = this.around;
    const names = { names: this.names.names.filter(mayBeGlobal), instead: this.names.instead };
    this.addFolder(globalDir, 'global', names, { roots: () => [globalDir], isOwn: true });
  }

  addPrivate(): void {
    const { privateDir } = this.around;
    const legacy = this.names.names.filter(mayBeGlobal);
    this.addFolder(
      privateDir,
      'private',
      { names: [PRIVATE_FILE], instead: legacy },
      { roots: () => [privateDir] },
    );
  }

  addExtensions(): void {
    const files = this.around.extensionFiles?.() ?? [];
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
    const workspace = this.around
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

  /** True when something of that name is there, wanted or not. */
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
    const { isRefused, ignoresFile, ignoresFolder } = this.around;
    const folder = join(path, '..');
    if (mayBeForeign && ignoresFolder?.(folder)) return false;
    return !isRefused?.(folder) && !ignoresFile?.(path);
  }

  private folderSearch() {
    const { boundaryMarkers: markers, maxDirs } = this.settings;
    return { markers, maxDirs };
  }

  /** A home directory under version control is no project: what lies beside is the user's, not its. */
  private rootsWith(outermost: string): string[] {
    const isTooWide = isInside(realPathOf(this.around.home), outermost);
    return [...this.around.directories(), ...(isTooWide ? [] : [outermost])];
  }
}

interface FolderRules {
  /** Asked only when a file is there. */
  roots(): readonly string[];
  /** Made by the user: its links are followed wherever they lead. */
  isOwn?: boolean;
  /** May lie in a dependency. */
  mayBeForeign?: boolean;
}

function authorizer(path: string, roots: readonly string[], isOwn = false): FoundFile['authorize'] {
  return (real) => {
    if (isOwn || roots.some((root) => isInside(real, realPathOf(root)))) return null;
    // The file itself, not a link: it may stand above all roots.
    if (real === join(realPathOf(join(path, '..')), basename(path))) return null;
    return `${path} is a link that leads out of the workspace, to ${real}.`;
  };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
