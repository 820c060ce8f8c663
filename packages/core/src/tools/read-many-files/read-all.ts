/** Carries out `read_many_files`: finds the files, reads them in order, reports what was left out and why. */
import { basename, extname } from 'node:path';
import { isAbort, messageOf } from '../../base/errors.js';
import { FileError } from '../../platform/files/file-error.js';
import { typeByName } from '../../platform/files/file-type.js';
import { isInside } from '../../platform/files/real-path.js';
import type { PartUnion } from '../../protocol/messages.js';
import type { ReadManyDisplay } from '../../protocol/tool-display.js';
import { relativeToRoot } from '../../workspace/tool-path.js';
import { filteringOptions } from '../filtering-param.js';
import { readContent } from '../read-file/read-content.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import { DEFAULT_EXCLUDES } from './default-excludes.js';
import { type IncludePatterns, includePatterns } from './include-patterns.js';
import type { ReadManyFilesHost, ReadManyFilesParams } from './params.js';

/** Limit for all texts together; files after it are named, not read. */
const MAX_TOTAL_CHARS = 20_000_000;
const END_MARK = '--- End of content ---';
const NOTHING = 'No files matching the criteria were found or all were skipped.';

export async function readManyFiles(
  host: ReadManyFilesHost,
  params: ReadManyFilesParams,
  signal: AbortSignal,
): Promise<ToolResult> {
  const excludes = [
    ...(params.useDefaultExcludes === false ? [] : DEFAULT_EXCLUDES),
    ...(params.exclude ?? []),
  ];
  const wanted = includePatterns(host, params.include, { recursive: params.recursive ?? true });
  const outcome: Outcome = { parts: [], read: [], skipped: wanted.refused, chars: 0 };
  try {
    const { files, ignored } = await findAll(host, params, excludes, wanted, signal);
    for (const file of files) {
      signal.throwIfAborted();
      await readOne(host, file, params.include, outcome);
    }
    for (const file of wanted.named.filter((path) => !files.includes(path))) {
      outcome.skipped.push({ path: relativeToRoot(host, file), reason: 'ignored or excluded by a pattern' });
    }
    if (ignored > 0) outcome.skipped.push({ path: `${ignored} file(s)`, reason: 'ignored by ignore files' });
  } catch (error) {
    if (isAbort(error, signal)) throw error;
    const message = `Error during file search: ${messageOf(error)}`;
    return toolFailure(message, ToolErrorType.READ_MANY_FILES_SEARCH_ERROR);
  }
  return resultOf(host, outcome, params.include, excludes);
}

async function findAll(
  host: ReadManyFilesHost,
  params: ReadManyFilesParams,
  exclude: string[],
  { byRoot, outside, named }: IncludePatterns,
  signal: AbortSignal,
): Promise<{ files: string[]; ignored: number }> {
  const options = filteringOptions(host, params.file_filtering_options);
  // Readable though not part of the workspace: the project's temporary files, those of extensions.
  const elsewhere = named.filter((path) => ![...byRoot.keys()].some((root) => isInside(path, root)));
  const files = new Set<string>(elsewhere);
  let ignored = 0;
  const more = outside.map(({ root, glob }): [string, string[]] => [root, [glob]]);
  for (const [root, include] of [...byRoot, ...more]) {
    if (include.length === 0) continue;
    const found = await host.getFileService().findFiles({ roots: [root], include, exclude, options, signal });
    for (const file of found.files) files.add(file);
    ignored += found.ignored;
  }
  return { files: [...files], ignored };
}

interface Outcome {
  parts: PartUnion[];
  /** As shown to the user. */
  read: string[];
  skipped: { path: string; reason: string }[];
  chars: number;
}

async function readOne(
  host: ReadManyFilesHost,
  file: string,
  include: readonly string[],
  outcome: Outcome,
): Promise<void> {
  const shown = relativeToRoot(host, file);
  const skip = (reason: string) => outcome.skipped.push({ path: shown, reason });
  if (outcome.chars > MAX_TOTAL_CHARS) return void skip('too much was read already');
  if (isAsset(file) && !isAskedFor(file, include))
    return void skip('image, PDF or sound not asked for by name');
  try {
    const authorize = (realPath: string) => host.validatePathAccess(realPath, 'read');
    const content = await readContent(host.getFileSystemService(), file, {}, { authorize });
    if (content.kind === 'media') {
      outcome.parts.push(content.part);
    } else {
      const { text, end, total, shortened } = content.lines;
      const warning =
        end < total || shortened
          ? `[WARNING: This file was truncated. Use read_file with start_line and end_line to see the rest.]\n\n`
          : '';
      outcome.parts.push(`--- ${file} ---\n\n${warning}${text}\n\n`);
      outcome.chars += text.length;
    }
    outcome.read.push(shown);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    skip(error.problem === 'binary' ? 'binary file' : error.message);
  }
}

function isAsset(file: string): boolean {
  const type = typeByName(file);
  return type === 'image' || type === 'pdf' || type === 'audio';
}

/** Named by its suffix or its name: `*.png`, `logo.*`, `img/logo.png`. */
function isAskedFor(file: string, include: readonly string[]): boolean {
  const suffix = extname(file).toLowerCase();
  const name = basename(file, extname(file)).toLowerCase();
  return include.some((pattern) => {
    const asked = basename(pattern).toLowerCase();
    return asked.includes(suffix) || asked.replace(/\.?[*?].*$/, '') === name;
  });
}

function resultOf(
  host: ReadManyFilesHost,
  { parts, read, skipped }: Outcome,
  include: string[],
  excludes: string[],
): ToolResult {
  const returnDisplay: ReadManyDisplay = {
    summary: summaryOf(read, skipped),
    files: read,
    skipped,
    include,
    excludes,
    targetDir: host.getTargetDir(),
  };
  return { llmContent: parts.length > 0 ? [...parts, END_MARK] : [NOTHING], returnDisplay };
}

function summaryOf(read: readonly string[], skipped: readonly { path: string; reason: string }[]): string {
  const lines =
    read.length > 0 ? [`Read ${read.length} file(s):`, ...listOf(read, 10)] : ['No files were read.'];
  if (skipped.length > 0) {
    const reasons = skipped.map(({ path, reason }) => `${path} (${reason})`);
    lines.push(`Skipped ${skipped.length} item(s):`, ...listOf(reasons, 5));
  }
  return lines.join('\n');
}

function listOf(items: readonly string[], limit: number): string[] {
  const shown = items.slice(0, limit).map((item) => `- ${item}`);
  return items.length > limit ? [...shown, `- ... and ${items.length - limit} more`] : shown;
}
