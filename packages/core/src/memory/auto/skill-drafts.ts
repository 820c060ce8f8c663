/** Reads and checks skill drafts, and finds installed skills of the same name. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseFrontMatter, textField } from '../../base/front-matter.js';
import { toFileError } from '../../platform/files/file-error.js';
import { readFileBytes } from '../../platform/files/safe-read.js';
import { tryLstat } from '../../platform/files/try-read.js';
import { onlyItself } from '../add-fact.js';
import type { AutoMemoryPlaces } from './places.js';

export const SKILL_FILE = 'SKILL.md';
export const MAX_SKILL_BYTES = 64 * 1024;
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const MAX_DESCRIPTION = 1024;

export interface SkillDraft {
  /** The name of its folder. */
  name: string;
  folder: string;
  file: string;
  text: string;
  modifiedMs: number;
  problem?: string;
}

export function isSkillName(name: string): boolean {
  return NAME.test(name);
}

export function listDrafts(places: AutoMemoryPlaces): Promise<SkillDraft[]> {
  return Promise.all(draftNames(places).map((name) => readDraft(name, join(places.draftsDir, name))));
}

/** Names of all draft folders, valid or not. */
export function draftNames({ draftsDir, memoryDir }: AutoMemoryPlaces): string[] {
  // A link in place of the folder would show other files.
  return isFolder(memoryDir) && isFolder(draftsDir) ? readdirSync(draftsDir).sort() : [];
}

async function readDraft(name: string, folder: string): Promise<SkillDraft> {
  const file = join(folder, SKILL_FILE);
  const draft = { name, folder, file, text: '', modifiedMs: tryLstat(folder)?.mtimeMs ?? 0 };
  if (!isFolder(folder)) return { ...draft, problem: 'it is not a folder' };
  try {
    const { bytes, version } = readFileBytes(file, { limit: MAX_SKILL_BYTES, authorize: onlyItself(file) });
    const text = bytes.toString('utf8');
    const problem = await skillProblem(name, text);
    return { ...draft, text, modifiedMs: version.modifiedMs, ...(problem && { problem }) };
  } catch (error) {
    return { ...draft, problem: toFileError(error, file).message };
  }
}

/** Undefined when it can be installed under this name. */
async function skillProblem(name: string, text: string): Promise<string | undefined> {
  if (!isSkillName(name)) return 'its folder has no name that a skill may have (a-z, 0-9, "-", "_")';
  if (Buffer.byteLength(text) > MAX_SKILL_BYTES) return `it is larger than ${MAX_SKILL_BYTES / 1024} KB`;
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) return 'it holds control characters';
  const matter = await parseFrontMatter(text);
  if (!matter.hasHeader) return 'it does not begin with a header between two lines of "---"';
  if (textField(matter, 'name') !== name) return `its header must say "name: ${name}"`;
  const description = textField(matter, 'description');
  if (!description) return 'its header has no description';
  if (description.length > MAX_DESCRIPTION)
    return `its description is longer than ${MAX_DESCRIPTION} characters`;
  return matter.body.trim() === '' ? 'it says nothing' : undefined;
}

export type SkillScope = 'user' | 'workspace';

/** An installed skill of that name; the workspace's wins, as it does when skills are loaded. */
export function installedSkill(
  name: string,
  { skillDirs }: AutoMemoryPlaces,
): { scope: SkillScope; file: string; modifiedMs: number } | undefined {
  if (!isSkillName(name)) return undefined;
  for (const scope of ['workspace', 'user'] as const) {
    const file = join(skillDirs[scope], name, SKILL_FILE);
    const stats = tryLstat(file);
    if (stats) return { scope, file, modifiedMs: stats.mtimeMs };
  }
  return undefined;
}

function isFolder(path: string): boolean {
  return tryLstat(path)?.isDirectory() ?? false;
}
