/** Checks a suggestion: whether it may change these files and fits their current content. Writes nothing. */
import { lstatSync } from 'node:fs';
import { extname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { FileError, toFileError } from '../../platform/files/file-error.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { type FileVersion, readFileBytes } from '../../platform/files/safe-read.js';
import { decodeText, type TextFormat, UTF8 } from '../../platform/files/text-encoding.js';
import { onlyItself } from '../add-fact.js';
import { applyHunks } from './patch-apply.js';
import { type FilePatch, formatPatch, parsePatch } from './patch-format.js';
import type { AutoMemoryPlaces, PatchScope } from './places.js';

export interface CheckedFile {
  patch: FilePatch;
  after: string;
  format: TextFormat;
  /** The version of the file that `after` is based on. */
  base: FileVersion | 'absent';
}

/** `diff`: the real change, with correct line numbers and counts. */
export type CheckedPatch =
  | { files: CheckedFile[]; diff: string; problem?: undefined }
  | { paths: string[]; problem: string };

/** A larger file would not be read as a context file. */
const MAX_MEMORY_BYTES = 256 * 1024;

export async function checkPatch(
  text: string,
  scope: PatchScope,
  places: AutoMemoryPlaces,
): Promise<CheckedPatch> {
  const parsed = parsePatch(text);
  if ('problem' in parsed) return { paths: [], problem: parsed.problem };
  const paths = parsed.files.map(({ path }) => path);
  const files: CheckedFile[] = [];
  for (const patch of parsed.files) {
    const problem = targetProblem(patch.path, scope, places);
    if (problem) return { paths, problem: `${patch.path} ${problem}` };
    const checked = await checkFile(patch);
    if ('problem' in checked) return { paths, problem: `${patch.path}: ${checked.problem}` };
    files.push(checked);
  }
  return { files, diff: formatPatch(files.map(({ patch }) => patch)) };
}

/** Undefined when suggestions of this scope may change the file. */
function targetProblem(path: string, scope: PatchScope, places: AutoMemoryPlaces): string | undefined {
  if (!isAbsolute(path) || normalize(path) !== path) return 'is not written as a plain absolute path';
  if (scope === 'global') {
    if (path !== places.globalFile && path !== ownPlace(places.globalFile))
      return `is not ${places.globalFile}, the only file a global suggestion may change`;
    return isLink(path) ? 'is a link; nothing is written through it' : undefined;
  }
  const root = places.memoryAliases.find((folder) => isInside(path, folder) && path !== folder);
  if (root === undefined) return `is outside of ${places.memoryDir}`;
  const names = relative(root, path).split(sep);
  if (names.some((name) => name.startsWith('.')) || names[0] === 'skills')
    return 'is kept for auto memory itself';
  if (extname(path).toLowerCase() !== '.md') return 'is not a Markdown file';
  // Links on the path are refused, even those that lead back.
  const own = join(places.memoryDir, ...names);
  return realPathOf(path) === own ? undefined : 'leads elsewhere through a link';
}

async function checkFile(patch: FilePatch): Promise<CheckedFile | { problem: string }> {
  const { path, isNew, hunks } = patch;
  try {
    const current = await readCurrent(path);
    if (isNew && current) return { problem: 'it is there already' };
    if (!isNew && !current) return { problem: 'there is no such file any more' };
    const applied = applyHunks(current?.text ?? '', hunks);
    if ('problem' in applied) return applied;
    if (Buffer.byteLength(applied.text) > MAX_MEMORY_BYTES)
      return { problem: `it would become larger than ${MAX_MEMORY_BYTES / 1024} KB` };
    if (applied.text === current?.text) return { problem: 'nothing would change' };
    return {
      patch: { path, isNew, hunks: applied.hunks },
      after: applied.text,
      format: current?.format ?? UTF8,
      base: current?.version ?? 'absent',
    };
  } catch (error) {
    return { problem: toFileError(error, path).message };
  }
}

async function readCurrent(path: string) {
  try {
    const { bytes, version } = readFileBytes(path, { limit: MAX_MEMORY_BYTES, authorize: onlyItself(path) });
    const decoded = await decodeText(bytes);
    if (!decoded) throw new FileError('binary', 'it is not text');
    return { ...decoded, version };
  } catch (error) {
    if (toFileError(error, path).problem === 'missing') return undefined;
    throw error;
  }
}

/** The path with its folder resolved. */
function ownPlace(path: string): string {
  return join(realPathOf(join(path, '..')), path.slice(path.lastIndexOf(sep) + 1));
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
