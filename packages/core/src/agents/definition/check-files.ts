/** Checks agent files one by one, with what a fix would make of them: for `gemini agents validate` and `/agents`. */
import { join } from 'node:path';
import { isDirectory, tryStat } from '../../platform/files/try-read.js';
import { unifiedDiff } from '../../tools/diff.js';
import { type AgentFix, fixAgentText } from './fix/fix-agent-text.js';
import { rewriteAgentFile } from './fix/rewrite-file.js';
import { agentFilesIn, isDocument, loadAgentFile, readAgentText } from './load-folder.js';
import { type AgentFileProblem, problemText } from './parse-agent-file.js';

export interface CheckedAgentFile {
  file: string;
  /** Names of the agents it defines; empty: it does not load. */
  names: string[];
  problem?: AgentFileProblem;
  /** All mistakes with their cures, for people. */
  text?: string;
  warnings: string[];
  /** Absent: the file cannot be read, or is fine. */
  fix?: Exclude<AgentFix, { status: 'valid' }> & { original: string };
}

/**
 * @param path a file, or a folder with agent files, if it exists; documents of a folder are left out
 * @param root links must not lead out of it
 */
export async function checkAgentFiles(path: string, root?: string): Promise<CheckedAgentFile[]> {
  if (!tryStat(path)) return [];
  const files = isDirectory(path) ? agentFilesIn(path).map((name) => join(path, name)) : [path];
  const checked: CheckedAgentFile[] = [];
  for (const file of files) {
    const one = await check(file, root);
    if (file === path || !one.problem || !isDocument(one.problem)) checked.push(one);
  }
  return checked;
}

async function check(file: string, root: string | undefined): Promise<CheckedAgentFile> {
  const parsed = await loadAgentFile(file, { kind: 'user', ...(root && { root }) });
  const { problem, warnings } = parsed;
  const result: CheckedAgentFile = {
    file,
    names: parsed.definitions.map(({ name }) => name),
    warnings,
    ...(problem && { problem, text: problemText(problem) }),
  };
  if (!problem && warnings.length === 0) return result;
  const original = tryRead(file, root);
  const fix = original === undefined ? undefined : await fixAgentText(original, file);
  return fix && fix.status !== 'valid' && original !== undefined
    ? { ...result, fix: { ...fix, original } }
    : result;
}

/** The changes of a fix as a unified diff. */
export async function previewFix({ file, fix }: CheckedAgentFile): Promise<string> {
  if (fix?.status !== 'fixed') return '';
  return unifiedDiff(file, fix.original, fix.text, { before: 'now', after: 'fixed' });
}

/**
 * Writes a fix. @returns the path of the copy of the original
 * @throws FileError when the file has changed meanwhile, or cannot be written
 */
export function applyFix({ file, fix }: CheckedAgentFile): string | undefined {
  return fix?.status === 'fixed' ? rewriteAgentFile(file, fix.original, fix.text) : undefined;
}

function tryRead(file: string, root: string | undefined): string | undefined {
  try {
    return readAgentText(file, root);
  } catch {
    return undefined;
  }
}
