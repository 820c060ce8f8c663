/** Where skills are installed from: a git repository, a `.skill` archive or a folder. */
import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { temporaryDirectory, type Variables } from '../../platform/environment.js';
import { isInside } from '../../platform/files/real-path.js';
import { isDirectory } from '../../platform/files/try-read.js';
import { loadSkillRoot } from '../loader.js';
import type { SkillDefinition, SkillProblem } from '../types.js';
import { SkillInstallError } from './error.js';

export interface SourceRequest {
  /** URL, path of an archive, or path of a folder. */
  source: string;
  /** Folder inside the source. */
  path?: string;
  /** Branch, tag or commit of a repository; `#ref` after the URL does the same. */
  ref?: string;
  cwd: string;
  home: string;
  variables: Variables;
  signal?: AbortSignal;
}

export interface OpenedSource {
  /** As the user wrote it. */
  label: string;
  skills: SkillDefinition[];
  problems: SkillProblem[];
  /** Removes the temporary copy. */
  close(): void;
}

const REPOSITORY = /^(?:git@|(?:https?|ssh|git|file):\/\/)/i;
/** Where repositories keep skills, if not at their top. */
const USUAL_FOLDERS = ['skills', '.gemini/skills', '.agents/skills'];

function isRepository(source: string): boolean {
  return REPOSITORY.test(source);
}

/** @throws SkillInstallError, CloneError */
export async function openSource(request: SourceRequest): Promise<OpenedSource> {
  const { dir, close } = await fetchSource(request);
  try {
    const chosen = request.path === undefined ? dir : folderInside(dir, request.path);
    const found = await findSkills(chosen, request.path === undefined);
    if (found.skills.length === 0) throw noSkill(request, found.problems);
    return { label: request.source, ...found, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** For links: only a folder can be linked. @throws SkillInstallError */
export async function openFolder(request: SourceRequest): Promise<OpenedSource> {
  if (isRepository(request.source) || (/\.skill$/i.test(request.source) && !isDirectory(folderOf(request))))
    throw new SkillInstallError('Only a folder can be linked. Use: gemini skills install');
  return openSource(request);
}

/** The folder's own skill and those below it; without any, those of the usual folders. */
async function findSkills(
  dir: string,
  searchesFurther = true,
): Promise<Pick<OpenedSource, 'skills' | 'problems'>> {
  const found = await loadSkillRoot({ dir, source: 'user' });
  if (found.skills.length > 0 || !searchesFurther) return found;
  for (const name of USUAL_FOLDERS) {
    const below = await loadSkillRoot({ dir: join(dir, name), source: 'user' });
    if (below.skills.length > 0) return below;
    found.problems.push(...below.problems);
  }
  return found;
}

function noSkill({ source, path }: SourceRequest, problems: readonly SkillProblem[]): SkillInstallError {
  const where = path === undefined ? source : `${path} in ${source}`;
  const reasons = problems.filter(({ severity }) => severity === 'error');
  const why = reasons.map(({ file, message }) => `\n  ${file} ${message}`).join('');
  return new SkillInstallError(`No skill found: ${where} has no valid SKILL.md.${why}`);
}

async function fetchSource(request: SourceRequest): Promise<{ dir: string; close(): void }> {
  const { source, variables, signal, ref } = request;
  if (isRepository(source)) {
    const [, url = source, fragment] = /^([^#]*)(?:#(.+))?$/s.exec(source) ?? [];
    return inTemporaryFolder(variables, async (into) => {
      const { cloneRepository } = await import('../../platform/git/clone.js');
      await cloneRepository({ url, into, variables, ...refOf(ref ?? fragment), ...(signal && { signal }) });
    });
  }
  if (ref !== undefined) throw new SkillInstallError('--ref is for git repositories only.');
  const path = folderOf(request);
  if (/\.skill$/i.test(source) && !isDirectory(path)) {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile())
      throw new SkillInstallError(`There is no such archive: ${path}`);
    return inTemporaryFolder(variables, async (into) => {
      const { extractArchive } = await import('./archive.js');
      await extractArchive(path, into);
    });
  }
  if (!isDirectory(path)) throw new SkillInstallError(`There is no such folder: ${path}`);
  return { dir: path, close: () => undefined };
}

function folderOf({ source, cwd, home }: SourceRequest): string {
  return resolve(
    cwd,
    source.replace(/^~(?=$|[/\\])/, () => home),
  );
}

function refOf(ref: string | undefined): { ref?: string } {
  return ref ? { ref } : {};
}

async function inTemporaryFolder(
  variables: Variables,
  fill: (into: string) => Promise<void>,
): Promise<{ dir: string; close(): void }> {
  const dir = realpathSync(mkdtempSync(join(temporaryDirectory(variables), 'gemini-skill-')));
  const close = () => rmSync(dir, { recursive: true, force: true });
  try {
    await fill(dir);
    return { dir, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** @throws SkillInstallError when the folder does not exist or leads out of the source */
function folderInside(dir: string, path: string): string {
  const chosen = resolve(dir, path);
  let real: string;
  try {
    real = realpathSync(chosen);
  } catch (error) {
    throw new SkillInstallError(`There is no folder "${path}" in the source: ${messageOf(error)}`);
  }
  if (!isInside(chosen, dir) || !isInside(real, realpathSync(dir)))
    throw new SkillInstallError(`--path must stay inside the source: ${path}`);
  return chosen;
}
