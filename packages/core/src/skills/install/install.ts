/** Puts skills into the user's or the project's folder: copies or links; and removes them. */
import { lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { entriesIn, tryLstat } from '../../platform/files/try-read.js';
import { randomHex } from '../../platform/random.js';
import { loadSkillRoot } from '../loader.js';
import { folderNameOf, skillKey } from '../skill-names.js';
import type { SkillDefinition } from '../types.js';
import { copySkillFolder } from './copy-folder.js';
import { SkillInstallError } from './error.js';

export type SkillScope = 'user' | 'workspace';

export interface InstallPlaces {
  /** `~/.gemini` */
  globalDir: string;
  projectRoot: string;
}

export interface PlannedSkill {
  name: string;
  description: string;
  /** The skill's folder in the source. */
  from: string;
  /** Where it will be. */
  to: string;
  /** What is there now and will be replaced. */
  replaces?: 'folder' | 'link';
}

function skillsFolder(scope: SkillScope, { globalDir, projectRoot }: InstallPlaces): string {
  return scope === 'user' ? join(globalDir, 'skills') : join(projectRoot, '.gemini', 'skills');
}

/** @throws SkillInstallError when two skills would get the same folder, or the folder leads elsewhere */
export function planInstallation(
  skills: readonly SkillDefinition[],
  scope: SkillScope,
  places: InstallPlaces,
): PlannedSkill[] {
  const root = usableRoot(scope, places);
  const taken = new Map<string, string>();
  return skills.map(({ name, description, location }) => {
    const to = join(root, folderNameOf(name));
    const other = taken.get(skillKey(to));
    if (other !== undefined)
      throw new SkillInstallError(`Two skills are called "${name}": ${other} and ${dirname(location)}.`);
    taken.set(skillKey(to), dirname(location));
    const present = tryLstat(to);
    const replaces = present && (present.isSymbolicLink() ? 'link' : 'folder');
    return { name, description, from: dirname(location), to, ...(replaces && { replaces }) };
  });
}

/**
 * Copies one skill. An existing one is replaced only when the copy is complete, and can be loaded at every moment: also
 * if the process is killed, the session finds the old skill or the new one. @throws SkillInstallError
 */
export function installSkill({ from, to }: PlannedSkill): void {
  if (realPathOf(from) === realPathOf(to)) throw new SkillInstallError(`${from} is installed already.`);
  const root = dirname(to);
  mkdirSync(root, { recursive: true });
  finishInterrupted(to);
  // Beside the folder of skills, so that an unfinished copy is never loaded.
  const copy = join(dirname(root), `${COPY}${randomHex(8)}`);
  const old = oldPathOf(to);
  try {
    copySkillFolder(from, copy);
    const isReplacing = tryLstat(to) !== undefined;
    if (isReplacing) renameSync(to, old);
    try {
      renameSync(copy, to);
    } catch (error) {
      if (isReplacing) renameSync(old, to);
      throw error;
    }
    removePath(old);
  } finally {
    removePath(copy);
  }
}

const COPY = '.skill-';
const STALE_COPY_MS = 60 * 60 * 1000;

/** In the folder of skills, so that it is still loaded until the new one has taken its place. */
function oldPathOf(to: string): string {
  return join(dirname(to), `.old-${basename(to)}`);
}

/** What a killed process has left behind. */
function finishInterrupted(to: string): void {
  const old = oldPathOf(to);
  if (tryLstat(to)) removePath(old);
  else if (tryLstat(old)) renameSync(old, to);
  const parent = dirname(dirname(to));
  for (const { name } of entriesIn(parent)) {
    const path = join(parent, name);
    const changedMs = name.startsWith(COPY) ? tryLstat(path)?.mtimeMs : undefined;
    if (changedMs !== undefined && Date.now() - changedMs > STALE_COPY_MS) removePath(path);
  }
}

/** @throws SkillInstallError when a folder is in the way: it may hold the only copy of a skill */
export function linkSkill({ name, from, to, replaces }: PlannedSkill): void {
  if (replaces === 'folder')
    throw new SkillInstallError(
      `"${name}" is installed in ${to}. Remove it first: gemini skills uninstall ${name}`,
    );
  mkdirSync(dirname(to), { recursive: true });
  if (replaces === 'link') unlinkSync(to);
  symlinkSync(realPathOf(from), to, process.platform === 'win32' ? 'junction' : 'dir');
}

/**
 * Removes the skill with this name in its header, else with this folder name. Of a link only the link is removed.
 * @returns the removed path @throws SkillInstallError when it is not installed there
 */
export async function uninstallSkill(
  name: string,
  scope: SkillScope,
  places: InstallPlaces,
): Promise<{ path: string; wasLink: boolean }> {
  const root = usableRoot(scope, places);
  const { skills } = await loadSkillRoot({ dir: root, source: scope });
  const named = skills.findLast((skill) => skillKey(skill.name) === skillKey(name));
  const path = named ? dirname(named.location) : join(root, name);
  const isChild = dirname(path) === root && basename(path) !== '' && !['.', '..'].includes(name);
  if (!isChild || !tryLstat(path)) {
    const where = path === root ? ` It is the folder ${root} itself.` : '';
    throw new SkillInstallError(`Skill "${name}" is not installed in ${root}.${where}`);
  }
  const wasLink = lstatSync(path).isSymbolicLink();
  removePath(path);
  removePath(oldPathOf(path));
  return { path, wasLink };
}

/** @throws SkillInstallError when a link in the project leads the folder out of it */
function usableRoot(scope: SkillScope, places: InstallPlaces): string {
  const root = skillsFolder(scope, places);
  if (scope === 'workspace' && !isInside(realPathOf(root), realPathOf(places.projectRoot)))
    throw new SkillInstallError(`${root} leads out of the project; nothing was changed.`);
  return root;
}

/** Never follows a link. */
function removePath(path: string): void {
  const stats = tryLstat(path);
  if (!stats) return;
  if (stats.isSymbolicLink() || !stats.isDirectory()) unlinkSync(path);
  else rmSync(path, { recursive: true, force: true });
}
