/** One search from its parameters to its result. Loaded with the first search. */
import { dirname } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isInside } from '../../platform/files/real-path.js';
import { locateRipgrep } from '../../platform/process/ripgrep.js';
import type { ToolSandbox } from '../../platform/sandbox/tool-sandbox.js';
import { TimeLimitError, withTimeLimit } from '../../platform/time-limit.js';
import { ALWAYS_SKIPPED_DIRECTORIES } from '../../workspace/file-discovery.js';
import { findSearchPath } from '../search-path.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import { type ContextSize, withContext } from './context-lines.js';
import { formatMatches, formatNames, noMatches } from './format.js';
import type { GrepHost, GrepParams } from './grep.js';
import { PatternError } from './pattern-error.js';
import { asksForLineBreak, toLineRegExp } from './regex-translate.js';
import { EngineFailure, searchWithRipgrep } from './ripgrep-engine.js';
import { Collector, type SearchQuery, type SearchRun, type SearchTarget } from './search-types.js';

const DEFAULT_LIMIT = 100;
const EXTRA_DIRECTORIES = ['.vscode', '.idea', 'dist', 'build', 'coverage', '__pycache__'];
const EXTRA_SUFFIXES = ['.log', '.tmp'];

export interface SearchLimits {
  signal: AbortSignal;
  timeoutMs: number;
}

export async function grepSearch(
  params: GrepParams,
  host: GrepHost,
  { signal, timeoutMs }: SearchLimits,
): Promise<ToolResult> {
  try {
    return await withTimeLimit(timeoutMs, signal, (limited) => search(params, host, limited));
  } catch (error) {
    return toFailure(error, params, { signal, timeoutMs });
  }
}

async function search(params: GrepParams, host: GrepHost, signal: AbortSignal): Promise<ToolResult> {
  const found = findSearchPath(host, params.dir_path, { allowFile: true });
  if ('problem' in found) return toolFailure(found.problem, found.type);
  if (asksForLineBreak(params.pattern, params.fixed_strings ?? false)) {
    throw new PatternError('the search works line by line, so a pattern cannot contain a line break');
  }
  const query = toQuery(params, host);
  const roots = host.getWorkspaceContext().getDirectories();
  const targets = found.paths.map(({ path, isFile }) => ({
    path,
    isFile,
    base: baseOf(path, isFile, roots),
  }));
  const place = describePlace(params, targets.length);
  const only = targets.length === 1 ? targets[0] : undefined;
  if (only && query.filter.isPathIgnored(only.path, !only.isFile) && only.path !== only.base) {
    return noMatches(params, place, ' The path is excluded by ignore files; set no_ignore to search it.');
  }
  const limit = params.total_max_matches ?? DEFAULT_LIMIT;
  const sandbox = host.getToolSandbox?.();
  const mayRead = (path: string) => host.validatePathAccess(path, 'read') === null;
  const collector = await collect(params, host, { targets, query, limit, signal, sandbox, mayRead });
  if (collector.matches.length === 0) return noMatches(params, place);
  const matches = collector.sorted();
  const text = { params, host, place, matches, limit, isLimited: collector.isLimited };
  if (params.names_only) return formatNames(text);
  return formatMatches({
    ...text,
    linesByFile: await withContext(matches, contextOf(params, matches.length), signal),
  });
}

interface Job {
  targets: readonly SearchTarget[];
  query: SearchQuery;
  limit: number;
  signal: AbortSignal;
  sandbox: ToolSandbox | undefined;
  mayRead: (path: string) => boolean;
}

/** ripgrep if it is installed and supports the pattern, else the built-in search. */
async function collect(params: GrepParams, host: GrepHost, job: Job): Promise<Collector> {
  if (!host.getUseRipgrep()) return walk(params, job);
  const noteFallback = (error: string) =>
    host.getTelemetry?.().event('gemini_cli.ripgrep_fallback', { error });
  const folders = host.getWorkspaceContext().getDirectories();
  const binary = locateRipgrep(folders, host.getEnvironment().variables);
  if (binary === undefined) {
    noteFallback('ripgrep was not found');
    return walk(params, job);
  }
  try {
    return await runAll(params, job, (run) => searchWithRipgrep(binary, run));
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    noteFallback(error.message);
    return walk(params, job);
  }
}

async function walk(params: GrepParams, job: Job): Promise<Collector> {
  const { searchByWalking } = await import('./walker-engine.js');
  return runAll(params, job, searchByWalking);
}

async function runAll(
  params: GrepParams,
  { targets, query, limit, signal, sandbox, mayRead }: Job,
  engine: (run: SearchRun) => Promise<void>,
): Promise<Collector> {
  const excludes = excludedLines(params, query);
  const maxPerFile = params.names_only ? 1 : (params.max_matches_per_file ?? Number.POSITIVE_INFINITY);
  const collector = new Collector(limit, maxPerFile, excludes, mayRead);
  for (const target of targets) {
    if (collector.isLimited) break;
    await engine({ target, query, collector, signal, sandbox });
    collector.finishTarget();
  }
  return collector;
}

function excludedLines({ exclude_pattern: pattern }: GrepParams, query: SearchQuery): RegExp | undefined {
  if (!pattern) return undefined;
  try {
    return toLineRegExp(pattern, { caseSensitive: query.caseSensitive });
  } catch (error) {
    throw error instanceof PatternError ? new PatternError(error.message, pattern) : error;
  }
}

function toQuery(params: GrepParams, host: GrepHost): SearchQuery {
  const noIgnore = params.no_ignore ?? false;
  const filter = host
    .getFileService()
    .createFilter(
      noIgnore
        ? { respectGitIgnore: false, respectGeminiIgnore: false, customIgnoreFilePaths: [] }
        : { respectGitIgnore: params.respect_git_ignore, respectGeminiIgnore: params.respect_gemini_ignore },
    );
  return {
    pattern: params.pattern,
    fixedStrings: params.fixed_strings ?? false,
    caseSensitive: params.case_sensitive ?? false,
    include: params.include_pattern || undefined,
    exclude: params.exclude_glob || undefined,
    skippedDirectories: noIgnore
      ? ALWAYS_SKIPPED_DIRECTORIES
      : [...ALWAYS_SKIPPED_DIRECTORIES, ...EXTRA_DIRECTORIES],
    skippedSuffixes: noIgnore ? [] : EXTRA_SUFFIXES,
    namesOnly: params.names_only ?? false,
    maxPerFile: params.max_matches_per_file,
    filter,
  };
}

/** The innermost workspace directory that contains `path`; for our own working files outside of all, their folder. */
function baseOf(path: string, isFile: boolean, roots: readonly string[]): string {
  const around = roots.filter((root) => isInside(path, root)).sort((a, b) => b.length - a.length);
  return around[0] ?? (isFile ? dirname(path) : path);
}

/** A few matches are shown with context, which saves the model a read. */
function contextOf(params: GrepParams, count: number): ContextSize {
  const { context, before, after } = params;
  if (context === undefined && before === undefined && after === undefined) {
    const around = count === 1 ? 50 : count <= 3 ? 15 : 0;
    return { before: around, after: around };
  }
  return { before: before ?? context ?? 0, after: after ?? context ?? 0 };
}

function describePlace(params: GrepParams, targets: number): string {
  const where =
    targets > 1 ? `across ${targets} workspace directories` : `in path "${params.dir_path || '.'}"`;
  return params.include_pattern ? `${where} (filter: "${params.include_pattern}")` : where;
}

function toFailure(error: unknown, params: GrepParams, { signal, timeoutMs }: SearchLimits): ToolResult {
  if (signal.aborted) return toolFailure('The search was cancelled.', ToolErrorType.GREP_EXECUTION_ERROR);
  if (error instanceof PatternError) {
    const advice = params.fixed_strings
      ? ''
      : ' Escape special characters, or set fixed_strings for plain text.';
    return toolFailure(
      `Invalid regular expression "${error.pattern ?? params.pattern}": ${error.message}.${advice}`,
      ToolErrorType.INVALID_TOOL_PARAMS,
    );
  }
  if (error instanceof TimeLimitError) {
    return toolFailure(
      `The search took longer than ${timeoutMs / 1000} s. Narrow it with dir_path, include_pattern or a more specific pattern.`,
      ToolErrorType.GREP_EXECUTION_ERROR,
    );
  }
  return toolFailure(`The search failed: ${messageOf(error)}`, ToolErrorType.GREP_EXECUTION_ERROR);
}
