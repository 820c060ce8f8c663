/** Creates and finds git worktrees, in which sessions work apart from the user's files. Never removes one. */
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, UserError } from '../../base/errors.js';
import { visibleName } from '../../base/visible-text.js';
import type { Variables } from '../environment.js';
import { realPathOf } from '../files/real-path.js';
import { randomHex } from '../random.js';
import { runGit } from './git.js';

export interface Worktree {
  name: string;
  /** Absolute. */
  path: string;
  branch: string;
  /** Root of the main repository. */
  root: string;
  /** False: it existed already. */
  isNew: boolean;
}

export interface WorktreeRequest {
  cwd: string;
  variables: Variables;
  /** Default: made from the time. */
  name?: string;
  now: () => number;
}

export class WorktreeError extends UserError {
  override readonly name = 'WorktreeError';
  override readonly code = 'worktree';
}

const FOLDER = join('.gemini', 'worktrees');
const PLAIN_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/;

/**
 * Opens the worktree of that name in the main repository of `cwd`, or creates it from the last commit.
 * @throws WorktreeError or GitError
 */
export async function openWorktree({ cwd, variables, name, now }: WorktreeRequest): Promise<Worktree> {
  const chosen = name || defaultName(now());
  requirePlainName(chosen);
  const { root, commonDir } = await mainRepository(cwd, variables);
  const folder = join(root, FOLDER);
  const path = join(folder, chosen);
  // A repository may contain links: the worktree must really be at this path.
  if (realPathOf(path) !== path)
    throw new WorktreeError(`The worktree was not created: ${visibleName(path)} leads elsewhere.`);
  const worktree = { name: chosen, path, branch: `worktree-${chosen}`, root };
  if (lstatSync(path, { throwIfNoEntry: false })) {
    await requireOurs(path, commonDir, variables);
    return { ...worktree, isNew: false };
  }
  prepare(folder);
  await add(worktree, variables);
  return { ...worktree, isNew: true };
}

/** Recognises a worktree by its path only, for containers, where git cannot be asked. */
export function worktreeAt(path: string): Worktree | undefined {
  const name = basename(path);
  const root = dirname(dirname(dirname(path)));
  if (path !== join(root, FOLDER, name) || !PLAIN_NAME.test(name)) return undefined;
  return { name, path, branch: `worktree-${name}`, root, isNew: false };
}

/** Message when a session in it ends. @param sessionId absent: no session to resume */
export function worktreeFarewell({ path, branch, root }: Worktree, sessionId?: string): string[] {
  const [tree, main] = [quoted(path), quoted(root)];
  return [
    `This session worked in the worktree ${visibleName(path)} (branch ${branch}).`,
    ...(sessionId === undefined ? [] : [`To resume: cd ${tree} && gemini --resume ${sessionId}`]),
    `To remove it: git -C ${main} worktree remove ${tree} && git -C ${main} branch -d ${branch}`,
  ];
}

function defaultName(now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return `${time}-${randomHex(2)}`;
}

function requirePlainName(name: string): void {
  const isPlain = PLAIN_NAME.test(name) && !name.includes('..') && !/\.lock$/i.test(name);
  if (isPlain) return;
  throw new WorktreeError(
    `"${visibleName(name.slice(0, 80))}" cannot name a worktree: use up to 64 letters, digits, "-", "_" and ".", beginning with a letter or digit.`,
  );
}

/** Finds the main repository from any folder in it or in one of its worktrees. */
async function mainRepository(
  cwd: string,
  variables: Variables,
): Promise<{ root: string; commonDir: string }> {
  const here = await placesOf(cwd, variables);
  if (!here) throw new WorktreeError(`--worktree needs a git repository; ${visibleName(cwd)} is not in one.`);
  const { top, gitDir, commonDir } = here;
  if (gitDir === commonDir) return { root: top, commonDir };
  const root = dirname(commonDir);
  const main = basename(commonDir) === '.git' ? await placesOf(root, variables) : undefined;
  if (main?.top !== root)
    throw new WorktreeError(`The repository ${visibleName(commonDir)} has no main folder to work from.`);
  return { root, commonDir };
}

async function placesOf(
  cwd: string,
  variables: Variables,
): Promise<{ top: string; gitDir: string; commonDir: string } | undefined> {
  const args = ['--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'];
  const { exitCode, stdout } = await runGit(['rev-parse', ...args], { cwd, variables });
  const lines = stdout.split('\n').slice(0, -1).map(realPathOf);
  const [top, gitDir, commonDir] = lines;
  if (exitCode !== 0 || lines.length !== 3 || !top || !gitDir || !commonDir) return undefined;
  return { top, gitDir, commonDir };
}

async function requireOurs(path: string, commonDir: string, variables: Variables): Promise<void> {
  const found = lstatSync(path).isDirectory() ? await placesOf(path, variables) : undefined;
  if (found?.top === path && found.commonDir === commonDir) return;
  throw new WorktreeError(
    `${visibleName(path)} exists already and is not a worktree of this repository. Choose another name, or move it away.`,
  );
}

/** Without the `.gitignore`, `git add .` would add the worktrees to the user's repository. */
function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw new WorktreeError(`Cannot write to ${visibleName(folder)}: ${codeOf(error) ?? error}.`);
  }
}

/** Uses the branch of an earlier worktree of that name, which may contain work. */
async function add(
  { path, branch, root }: Pick<Worktree, 'path' | 'branch' | 'root'>,
  variables: Variables,
): Promise<void> {
  const place = { cwd: root, variables };
  const known = await runGit(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], place);
  const what = known.exitCode === 0 ? [path, branch] : [path, '-b', branch];
  const { exitCode, stderr, error, endedBy } = await runGit(['worktree', 'add', ...what], place);
  if (exitCode === 0) return;
  const said = /^(?:fatal|error): (.*)/m.exec(stderr)?.[1];
  const reason = said ?? error?.message ?? endedBy ?? (stderr.trim() || `exit code ${exitCode}`);
  throw new WorktreeError(`git could not create the worktree ${visibleName(path)}: ${visibleName(reason)}`);
}

/** Quotes a path for a POSIX shell, if needed. */
function quoted(path: string): string {
  if (/^[\w/.,:@%+=-]+$/.test(path)) return path;
  return `'${visibleName(path).replaceAll("'", "'\\''")}'`;
}
