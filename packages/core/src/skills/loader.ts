/** Finds and loads the skills of a folder. */
import { type Dirent, opendirSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { codeOf, messageOf } from '../base/errors.js';
import { readSkill, SKILL_FILE } from './skill-file.js';
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
  const { skill } = await readSkill(resolve(filePath), { dir: dirname(filePath), source: 'program' });
  return skill ?? null;
}

/** Never throws; a folder that does not exist has no skills. */
export async function loadSkillRoot(root: SkillRoot): Promise<LoadedSkills> {
  const found: LoadedSkills = { skills: [], problems: [] };
  const { folders, problem } = foldersIn(resolve(root.dir));
  if (problem) found.problems.push({ file: root.dir, message: problem, severity: 'warning' });
  for (const [index, folder] of folders.entries()) {
    if (index % BATCH === BATCH - 1) await nextTurn();
    const { skill, problems } = await readSkill(`${folder}${sep}${SKILL_FILE}`, root);
    if (skill) found.skills.push(skill);
    found.problems.push(...problems);
  }
  return found;
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
