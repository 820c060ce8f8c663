/** Finds and loads the skills of a folder. */
import { type Dirent, opendirSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { codeOf, messageOf } from '../base/errors.js';
import { readSkill, SKILL_FILE, type SkillHeader, skillOf } from './skill-file.js';
import type { SkillDefinition, SkillProblem, SkillRoot } from './types.js';

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);
/** Of one root; a link to a huge folder must not hold up the start. */
const MAX_ENTRIES = 10_000;
/** Files between two pauses, in which the screen is drawn. */
const BATCH = 64;

export interface LoadedSkills {
  skills: SkillDefinition[];
  problems: SkillProblem[];
}

/** The skills of a folder: its own SKILL.md and those of its subfolders. Files that are not skills are left out. */
export async function loadSkillsFromDir(dir: string): Promise<SkillDefinition[]> {
  return (await loadSkillRoot({ dir, source: 'program' })).skills;
}

/** Null: the file is not a skill. */
export async function loadSkillFromFile(filePath: string): Promise<SkillDefinition | null> {
  const { skill } = await readSkill(resolve(filePath), {});
  return skill ? skillOf(skill, { dir: dirname(filePath), source: 'program' }) : null;
}

/** Never throws; a folder that does not exist has no skills. */
export async function loadSkillRoot(root: SkillRoot): Promise<LoadedSkills> {
  const known = root.memory?.recall<SkillHeader[]>('skills', root.dir);
  if (known) return { skills: known.map((header) => skillOf(header, root)), problems: [] };
  const { headers, problems } = await readHeaders(root);
  return { skills: headers.map((header) => skillOf(header, root)), problems };
}

async function readHeaders(root: SkillRoot): Promise<{ headers: SkillHeader[]; problems: SkillProblem[] }> {
  const lesson = root.memory?.lesson('skills', root.dir);
  lesson?.look(root.dir);
  const headers: SkillHeader[] = [];
  const problems: SkillProblem[] = [];
  let isOfFilesOnly = true;
  const { folders, problem } = foldersIn(resolve(root.dir));
  if (problem) problems.push({ file: root.dir, message: problem, severity: 'warning' });
  for (const [index, folder] of folders.entries()) {
    if (index % BATCH === BATCH - 1) await nextTurn();
    const file = `${folder}${sep}${SKILL_FILE}`;
    lesson?.look(file);
    const { skill, ...read } = await readSkill(file, root);
    if (skill) headers.push(skill);
    // A misspelt name may come.
    else lesson?.look(folder);
    if (read.hasVariables) isOfFilesOnly = false;
    problems.push(...read.problems);
  }
  if (isOfFilesOnly && problems.length === 0) lesson?.learn(headers);
  return { headers, problems };
}

/** The root itself, then its subfolders by name; links are followed. */
function foldersIn(dir: string): { folders: string[]; problem?: string } {
  const names: string[] = [];
  try {
    const opened = opendirSync(dir, { bufferSize: 256 });
    try {
      for (let entry = opened.readSync(); entry; entry = opened.readSync()) {
        if (names.length === MAX_ENTRIES)
          return { folders: [], problem: `has more than ${MAX_ENTRIES} entries and is not searched` };
        if (mayBeFolder(entry)) names.push(entry.name);
      }
    } finally {
      opened.closeSync();
    }
  } catch (error) {
    const isAbsent = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
    return { folders: [], ...(!isAbsent && { problem: `cannot be read: ${messageOf(error)}` }) };
  }
  // Not `join`: normalizing thousands of paths takes as long as reading the headers.
  return { folders: [dir, ...names.sort().map((name) => `${dir}${sep}${name}`)] };
}

function mayBeFolder(entry: Dirent): boolean {
  return (entry.isDirectory() || entry.isSymbolicLink()) && !SKIPPED.has(entry.name);
}
