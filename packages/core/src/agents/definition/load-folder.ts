/** Reads the agent files of one folder: direct `*.md` files, without those that begin with `_`. */

import { basename, join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { fillPlaceholders } from '../../base/expand-variables.js';
import { FileError } from '../../platform/files/file-error.js';
import type { FileMemory } from '../../platform/files/file-memory.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { readFileBytes } from '../../platform/files/safe-read.js';
import { entriesIn } from '../../platform/files/try-read.js';
import type { AgentDefinition, AgentSource } from '../types.js';
import {
  type AgentFileProblem,
  type ParsedAgentFile,
  type ParseOptions,
  parseAgentFile,
} from './parse-agent-file.js';

export interface AgentFolder {
  dir: string;
  kind: 'user' | 'project' | 'extension';
  extensionName?: string;
  /** Replaces `${key}` in its files; other placeholders stay. */
  variables?: Readonly<Record<string, string>>;
  /** Links must not lead out of it. Absent: links are the user's own. */
  root?: string;
  /** What earlier starts have read. */
  memory?: FileMemory;
}

export interface LoadedFolder {
  folder: AgentFolder;
  definitions: AgentDefinition[];
  problems: AgentFileProblem[];
  warnings: string[];
}

/** The largest public definition has 60 KB. */
const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 1000;

/** Files that stand beside agents and are none, as long as they have no header. */
const DOCUMENT = /^(?:readme|agents|claude|gemini|changelog|contributing|license|index)\.md$/i;

export async function loadAgentFolder(
  folder: AgentFolder,
  options: ParseOptions = {},
): Promise<LoadedFolder> {
  const { dir, extensionName, memory } = folder;
  const kind = `agents-${extensionName}`;
  const known = memory?.recall<AgentDefinition[]>(kind, dir);
  if (known) return { folder, definitions: known, problems: [], warnings: [] };
  const lesson = memory?.lesson(kind, dir);
  lesson?.look(dir);
  const files = agentFilesIn(dir).map((name) => join(dir, name));
  for (const file of files) lesson?.look(file);
  let asksForModels = false;
  const isKnownModel = (model: string) => {
    asksForModels = true;
    return options.isKnownModel?.(model) ?? false;
  };
  const { hasVariables, ...loaded } = await readAgents(folder, files, { isKnownModel });
  const isOfFilesOnly = !asksForModels && !hasVariables;
  if (isOfFilesOnly && loaded.problems.length + loaded.warnings.length === 0)
    lesson?.learn(loaded.definitions);
  return loaded;
}

async function readAgents(
  folder: AgentFolder,
  files: readonly string[],
  options: ParseOptions,
): Promise<LoadedFolder & { hasVariables: boolean }> {
  const loaded: LoadedFolder = { folder, definitions: [], problems: [], warnings: [] };
  let hasVariables = false;
  if (files.length > MAX_FILES)
    loaded.warnings.push(`${folder.dir} has ${files.length} agent files; only ${MAX_FILES} are read.`);
  for (const file of files.slice(0, MAX_FILES)) {
    const { definitions, problem, warnings, ...one } = await loadAgentFile(file, folder, options);
    hasVariables ||= one.hasVariables;
    loaded.definitions.push(...definitions);
    loaded.warnings.push(...warnings);
    if (problem && !isNotMeant(problem, folder)) loaded.problems.push(problem);
  }
  return { ...loaded, hasVariables };
}

export async function loadAgentFile(
  file: string,
  folder: Omit<AgentFolder, 'dir'>,
  options: ParseOptions = {},
): Promise<ParsedAgentFile & { hasVariables: boolean }> {
  const { kind, extensionName } = folder;
  const source: AgentSource & { file: string } = { kind, file, ...(extensionName && { extensionName }) };
  try {
    const written = readAgentText(file, folder.root);
    const text = fillPlaceholders(written, folder.variables);
    return { ...(await parseAgentFile(text, source, options)), hasVariables: text !== written };
  } catch (error) {
    const issue = { field: '', message: reasonOf(error), cure: cureOf(error) };
    const problem: AgentFileProblem = { file, issues: [issue], isClaudeFormat: false, hasHeader: true };
    return { definitions: [], problem, warnings: [], hasVariables: false };
  }
}

/** Sorted; empty when the folder does not exist. */
export function agentFilesIn(dir: string): string[] {
  return entriesIn(dir)
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.md') && !entry.name.startsWith('_'))
    .map(({ name }) => name)
    .sort();
}

/** @throws FileError for what is not a regular file of a sensible size inside `root` */
export function readAgentText(file: string, root?: string): string {
  const realRoot = root && realPathOf(root);
  const { bytes } = readFileBytes(file, {
    limit: MAX_BYTES,
    authorize: (path) => (realRoot && !isInside(path, realRoot) ? 'The link leads out of the project' : null),
  });
  return bytes.toString('utf8');
}

/** In extensions, all files without a header are documents. */
function isNotMeant(problem: AgentFileProblem, { kind }: AgentFolder): boolean {
  return isDocument(problem) || (!problem.hasHeader && kind === 'extension');
}

/** A file without a header may be a document. */
export function isDocument({ file, hasHeader }: Pick<AgentFileProblem, 'file' | 'hasHeader'>): boolean {
  return !hasHeader && DOCUMENT.test(basename(file));
}

function reasonOf(error: unknown): string {
  if (error instanceof FileError && error.problem === 'too_large') return 'The file is larger than 1 MB';
  return messageOf(error);
}

function cureOf(error: unknown): string {
  if (!(error instanceof FileError)) return 'Check the file.';
  if (error.problem === 'too_large') return 'Shorten it: all of it becomes the prompt of the agent.';
  return error.problem === 'refused'
    ? 'Copy the file into the project.'
    : 'Check the file and its permissions.';
}
