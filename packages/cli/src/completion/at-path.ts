/** Suggestions after an `@`: agents and resources, then workspace files and folders. */
import { type Config, type Settings, setting, visibleName } from '@gemini-cli/core';
import { type AtToken, atTokenAt, escapeAtPath } from './at-token.js';
import { FileIndex } from './file-index.js';
import { listPaths } from './folder-listing.js';
import { rankBy } from './fuzzy.js';
import { PathSearch } from './path-search.js';
import type { CompletionRequest, CompletionSource, Suggestion, Suggestions } from './types.js';

export interface AtPathHost {
  /** Undefined while the engine starts. */
  index(): FileIndex | undefined;
  cwd(): string;
  isFuzzy?(): boolean;
  /** `context.fileFiltering.searchTimeout`. */
  timeoutMs?(): number;
  /** False: only names in the folder of the typed path. */
  isRecursive?(): boolean;
  /** Agents and MCP resources, listed before the files. */
  extras?(): readonly Suggestion[];
}

const LIMIT = 100;
/** Up to this size a synchronous search delays no key. */
const MAX_SYNC_SEARCH = 3000;
const TIMEOUT_MS = 5000;

export function atSource(host: AtPathHost): CompletionSource {
  const search = new PathSearch();
  return {
    complete(request) {
      const token = atTokenAt(request.text, request.cursor);
      if (!token) return undefined;
      const isPath = /^(?:\/|~|\.\.?\/)/.test(token.query);
      if (isPath || host.isRecursive?.() === false) return listed(token, request, host);
      const index = host.index();
      if (!index) return toSuggestions([], token, request, host);
      index.ensure();
      const options = { limit: LIMIT, isFuzzy: host.isFuzzy?.() ?? true, signal: request.signal };
      const show = (paths: readonly string[]) => toSuggestions(paths, token, request, host);
      if (!index.isGrowing && index.paths.shown.length <= MAX_SYNC_SEARCH)
        return show(matching(token.query, index, (query) => search.findNow(query, index.paths, options)));
      return searchWhileGrowing(request, index, host, async () => {
        const { query } = token;
        if (query === '') return show(topLevel(index));
        const paths = await search.find(query, index.paths, options);
        return paths && show(paths);
      });
    },
  };
}

/** Shows partial results, and searches again when the index has grown. */
async function searchWhileGrowing(
  { signal, onPartial }: CompletionRequest,
  index: FileIndex,
  host: AtPathHost,
  search: () => Promise<Suggestions | undefined>,
): Promise<Suggestions | undefined> {
  const limit = AbortSignal.timeout(host.timeoutMs?.() || TIMEOUT_MS);
  const over = new Promise<void>((resolve) => {
    limit.addEventListener('abort', () => resolve(), { once: true });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  for (let searched = -1; ; ) {
    if (signal.aborted) return undefined;
    if (!index.isGrowing || limit.aborted) return search();
    const size = index.paths.shown.length;
    // Not after every few files: each search goes through all of them.
    if (size > searched * 1.5) {
      searched = size;
      const found = await search();
      if (found) onPartial(found);
    }
    await Promise.race([index.more(size), over]);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

function matching(query: string, index: FileIndex, find: (query: string) => string[]): string[] {
  return query === '' ? topLevel(index) : find(query);
}

function topLevel({ paths }: FileIndex): string[] {
  const found: string[] = [];
  for (const path of paths.shown) {
    const slash = path.indexOf('/');
    if (slash < 0 || slash === path.length - 1) found.push(path);
  }
  const isFolder = (path: string) => path.endsWith('/');
  return [...found.filter(isFolder), ...found.filter((path) => !isFolder(path))].slice(0, LIMIT);
}

async function listed(token: AtToken, request: CompletionRequest, host: AtPathHost): Promise<Suggestions> {
  const paths = await listPaths(token.query, { cwd: host.cwd(), limit: LIMIT });
  return toSuggestions(
    paths.map(({ path }) => path),
    token,
    request,
    host,
  );
}

function toSuggestions(
  paths: readonly string[],
  { query, start, end }: AtToken,
  { text }: CompletionRequest,
  host: AtPathHost,
): Suggestions {
  const hasSpace = /\s/.test(text[end] ?? '');
  const suffix = (path: string) => (path.endsWith('/') || hasSpace ? '' : ' ');
  const extras = rankBy(query, host.extras?.() ?? [], ({ value }) => [value]);
  return {
    items: [
      ...extras.map((item) => ({ ...item, value: item.value + suffix(item.value) })),
      ...paths.map((path) => ({ label: visibleName(path), value: escapeAtPath(path) + suffix(path) })),
    ],
    start,
    end,
  };
}

/** With `enableFileWatcher`. Gathering again is cheaper than watching every folder of a large workspace. */
const FOLLOWING_MS = 1_000;

/** The index of a session's workspace. */
export function workspaceIndex(config: Config, merged: Settings, now?: () => number): FileIndex {
  const maxFiles = setting(merged, 'context.fileFiltering.maxFileCount');
  const follows = setting(merged, 'context.fileFiltering.enableFileWatcher');
  const options = { maxFiles, ...(follows && { staleAfterMs: FOLLOWING_MS }), ...(now && { now }) };
  return new FileIndex((signal) => crawl(config, signal), options);
}

async function* crawl(config: Config, signal: AbortSignal): AsyncGenerator<string[]> {
  const options = config.getFileFilteringOptions();
  for (const root of config.getWorkspaceContext().getDirectories())
    yield* config.getFileService().crawl({ root, options, signal });
}
