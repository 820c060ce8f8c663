/** One run of `glob`. */
import { messageOf } from '../../base/errors.js';
import { tryStat } from '../../platform/files/try-read.js';
import { ALWAYS_SKIPPED } from '../../workspace/file-discovery.js';
import { onOneLine } from '../../workspace/tool-path.js';
import { findSearchPath } from '../search-path.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import type { GlobHost, GlobParams } from './glob.js';

const RECENT_MS = 24 * 60 * 60 * 1000;
const SLICE_MS = 12;

export async function findByGlob(
  params: GlobParams,
  host: GlobHost,
  signal: AbortSignal,
): Promise<ToolResult> {
  const found = findSearchPath(host, params.dir_path, { allowFile: false });
  if ('problem' in found) return toolFailure(found.problem, found.type);
  const roots = found.paths.map(({ path }) => path);
  try {
    const { files, ignored } = await host.getFileService().findFiles({
      roots,
      include: [params.pattern],
      exclude: [...ALWAYS_SKIPPED, ...(params.ignore ?? [])],
      caseSensitive: params.case_sensitive ?? false,
      options: {
        respectGitIgnore: params.respect_git_ignore,
        respectGeminiIgnore: params.respect_gemini_ignore,
      },
      signal,
    });
    const sorted = await recentFirst(files, Date.now(), signal);
    return describe(params.pattern, roots, sorted, ignored);
  } catch (error) {
    const reason = signal.aborted ? 'The search was cancelled.' : `The search failed: ${messageOf(error)}`;
    return toolFailure(reason, ToolErrorType.GLOB_EXECUTION_ERROR);
  }
}

/** Files of the last day by time, newest first, then the others by name. */
async function recentFirst(files: readonly string[], now: number, signal: AbortSignal): Promise<string[]> {
  const recent: { path: string; time: number }[] = [];
  const others: string[] = [];
  let sliceEnd = performance.now() + SLICE_MS;
  for (const path of files) {
    const time = modificationTime(path);
    if (now - time < RECENT_MS) recent.push({ path, time });
    else others.push(path);
    if (performance.now() < sliceEnd) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  }
  recent.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1));
  return [...recent.map(({ path }) => path), ...others.sort()];
}

/** A file that was deleted in the meantime counts as old. */
function modificationTime(path: string): number {
  return tryStat(path)?.mtimeMs ?? 0;
}

function describe(
  pattern: string,
  roots: readonly string[],
  files: readonly string[],
  ignored: number,
): ToolResult {
  const place = roots.length > 1 ? `across ${roots.length} workspace directories` : `within ${roots[0]}`;
  const note = ignored > 0 ? ` (${ignored} additional files were ignored)` : '';
  if (files.length === 0) {
    return {
      llmContent: `No files found matching pattern "${pattern}" ${place}${note}`,
      returnDisplay: 'No files found',
    };
  }
  return {
    llmContent:
      `Found ${files.length} file(s) matching "${pattern}" ${place}${note}` +
      `, sorted by modification time (newest first):\n${files.map(onOneLine).join('\n')}`,
    returnDisplay: `Found ${files.length} matching file(s)`,
  };
}
