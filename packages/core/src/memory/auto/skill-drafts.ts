/** Drafts of skills: which names they may have, what they must say, and where such a skill is installed already. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { toFileError } from '../../platform/file-error.js';
import { readFileBytes } from '../../platform/safe-read.js';
import { onlyItself } from '../add-fact.js';
import type { AutoMemoryPlaces } from './places.js';

export const SKILL_FILE = 'SKILL.md';
export const MAX_SKILL_BYTES = 64 * 1024;
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const MAX_DESCRIPTION = 1024;

export interface SkillDraft {
  /** Of its folder. */
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

export function listDrafts({ draftsDir, memoryDir }: AutoMemoryPlaces): SkillDraft[] {
  // A link in place of the folder would show us somebody else's files.
  if (!isFolder(memoryDir) || !isFolder(draftsDir)) return [];
  return readdirSync(draftsDir)
    .sort()
    .map((name) => readDraft(name, join(draftsDir, name)));
}

function readDraft(name: string, folder: string): SkillDraft {
  const file = join(folder, SKILL_FILE);
  const draft = { name, folder, file, text: '', modifiedMs: statOf(folder)?.mtimeMs ?? 0 };
  if (!isFolder(folder)) return { ...draft, problem: 'it is no folder' };
  try {
    const { bytes, version } = readFileBytes(file, { limit: MAX_SKILL_BYTES, authorize: onlyItself(file) });
    const text = bytes.toString('utf8');
    const problem = skillProblem(name, text);
    return { ...draft, text, modifiedMs: version.modifiedMs, ...(problem && { problem }) };
  } catch (error) {
    return { ...draft, problem: toFileError(error, file).message };
  }
}

/** Undefined: it can be installed under this name. */
function skillProblem(name: string, text: string): string | undefined {
  if (!isSkillName(name)) return 'its folder has no name that a skill may have (a-z, 0-9, "-", "_")';
  if (Buffer.byteLength(text) > MAX_SKILL_BYTES) return `it is larger than ${MAX_SKILL_BYTES / 1024} KB`;
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) return 'it holds control characters';
  const head = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  if (!head) return 'it does not begin with a header between two lines of "---"';
  const [block, fields = ''] = head;
  if (field(fields, 'name') !== name) return `its header must say "name: ${name}"`;
  const description = field(fields, 'description');
  if (!description) return 'its header has no description';
  if (description.length > MAX_DESCRIPTION)
    return `its description is longer than ${MAX_DESCRIPTION} characters`;
  return text.slice(block.length).trim() === '' ? 'it says nothing' : undefined;
}

/** A header line `key: value`; folded and literal blocks count by their first line. */
function field(fields: string, key: string): string | undefined {
  const match = new RegExp(`^${key}:[ \\t]*(.*(?:\\r?\\n[ \\t]+.*)*)`, 'm').exec(fields);
  const value = match?.[1]
    ?.replace(/^[|>][+-]?\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return value?.replace(/^(["'])(.*)\1$/, '$2');
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
    const stats = statOf(file);
    if (stats) return { scope, file, modifiedMs: stats.mtimeMs };
  }
  return undefined;
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

/** Of the thing itself, not of what a link leads to. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
