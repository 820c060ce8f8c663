/** Finds workspace files by glob, without those that ignore rules hide from tools. */
import { resolve } from 'node:path';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import { tryStat } from '../platform/files/try-read.js';
import { walkFolders } from './file-walker.js';
import { compileExclude, compileInclude } from './glob-match.js';
import type { FileFilteringOptions } from './host.js';
import { IgnoreFileCache, IgnoreFilter } from './ignore-filter.js';

/** Directories that searches never enter, at any depth. */
export const ALWAYS_SKIPPED_DIRECTORIES = ['node_modules', '.git', 'bower_components', '.svn', '.hg'];

/** The same as globs, for `exclude`. */
export const ALWAYS_SKIPPED: readonly string[] = ALWAYS_SKIPPED_DIRECTORIES.map((name) => `**/${name}/**`);

export interface FindFilesRequest {
  /** Absolute directories. */
  roots: string[];
  /** Globs relative to each root; dotfiles match. An existing name with glob characters is literal. */
  include: string[];
  exclude?: readonly string[];
  caseSensitive?: boolean;
  options?: Partial<FileFilteringOptions>;
  signal?: AbortSignal;
  limit?: number;
}

export interface FoundFiles {
  /** Absolute, sorted within each root. Links to files count, linked directories are not entered. */
  files: string[];
  /** Matching files left out by ignore rules; very large ignored directories are not counted to the end. */
  ignored: number;
}

export interface CrawlRequest {
  /** An absolute directory. */
  root: string;
  options?: Partial<FileFilteringOptions>;
  signal?: AbortSignal;
}

/** Short enough that typing during a crawl feels immediate. */
const CRAWL_SLICE_MS = 3;

export class FileDiscoveryService {
  private readonly ignoreFiles = new IgnoreFileCache();
  private readonly realRoot: string;

  constructor(
    private readonly projectRoot: string,
    private readonly defaults: FileFilteringOptions,
    /** `~/.gemini`: tools see its files even if git ignores them. */
    private readonly programDirectory?: string,
  ) {
    this.realRoot = realPathOf(resolve(projectRoot));
  }

  shouldIgnoreFile(path: string, options?: Partial<FileFilteringOptions>): boolean {
    return this.createFilter(options).isPathIgnored(this.underRealRoot(path), false);
  }

  shouldIgnoreDirectory(path: string, options?: Partial<FileFilteringOptions>): boolean {
    return this.createFilter(options).isPathIgnored(this.underRealRoot(path), true);
  }

  /** Reads the ignore files that changed on disk. */
  createFilter(options: Partial<FileFilteringOptions> = {}): IgnoreFilter {
    const { defaults } = this;
    const inForce = {
      respectGitIgnore: options.respectGitIgnore ?? defaults.respectGitIgnore,
      respectGeminiIgnore: options.respectGeminiIgnore ?? defaults.respectGeminiIgnore,
      customIgnoreFilePaths: options.customIgnoreFilePaths ?? defaults.customIgnoreFilePaths,
    };
    return new IgnoreFilter(this.realRoot, this.ignoreFiles, inForce, this.programDirectory);
  }

  /** Rejects only when aborted. */
  async findFiles(request: FindFilesRequest): Promise<FoundFiles> {
    const files = new Set<string>();
    const ignored = new Set<string>();
    const filter = this.createFilter(request.options);
    for (const root of request.roots.map((path) => this.underRealRoot(path))) {
      const context = { root, caseSensitive: request.caseSensitive ?? false };
      const include = await compileInclude(request.include, context);
      const isExcluded = await compileExclude(request.exclude ?? [], context);
      const folders = walkFolders({
        root,
        filter,
        signal: request.signal,
        reportIgnored: true,
        entersDirectory: (path, name) => include.mayContain(path) && !isExcluded(path, name, true),
      });
      for await (const batch of folders) {
        for (const file of batch) {
          if (files.size === request.limit) return { files: [...files], ignored: ignored.size };
          if (!include.matches(file.relative) || isExcluded(file.relative, file.name, false)) continue;
          if (file.isSymlink && !leadsToFile(file.path)) continue;
          (file.isIgnored ? ignored : files).add(file.path);
        }
      }
    }
    return { files: [...files], ignored: ignored.size };
  }

  /**
   * All files that no rule ignores, folder by folder, relative to the root with `/`. Never blocks the thread for long,
   * because the user may be typing. Rejects only when aborted.
   */
  async *crawl({ root, options, signal }: CrawlRequest): AsyncGenerator<string[]> {
    const folders = walkFolders({
      root: this.underRealRoot(root),
      filter: this.createFilter(options),
      signal,
      sliceMs: CRAWL_SLICE_MS,
      entersDirectory: (_path, name) => !ALWAYS_SKIPPED_DIRECTORIES.includes(name),
    });
    for await (const files of folders) yield files.map(({ relative }) => relative);
  }

  /** Ignore rules apply to real paths, but a caller may use a link to the project. */
  private underRealRoot(path: string): string {
    const absolute = resolve(path);
    if (this.realRoot === this.projectRoot || !isInside(absolute, this.projectRoot)) return absolute;
    return this.realRoot + absolute.slice(this.projectRoot.length);
  }
}

function leadsToFile(link: string): boolean {
  return tryStat(link)?.isFile() ?? false;
}
