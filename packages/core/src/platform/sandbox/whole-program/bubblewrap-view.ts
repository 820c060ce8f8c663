/** Plans the file system of the whole program in bubblewrap: the project is writable, secrets are hidden. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeOf } from '../../environment.js';
import { isInside, realPathOf } from '../../files/real-path.js';
import { projectIdFor } from '../../storage/project-id.js';
import { MountPlan } from '../linux/mount-plan.js';
import { openSockets, secretPaths } from '../paths/hidden-paths.js';
import { worktreeDirectories } from '../paths/protected-paths.js';
import type { SandboxConfig } from './select.js';
import type { WholeProcessSources } from './whole-process.js';

/** Sockets of other programs are in these; they are replaced by empty, temporary directories. */
const PRIVATE = ['/tmp', '/var/tmp', '/run', '/var/run'];

export function programView(config: SandboxConfig, sources: WholeProcessSources): MountPlan {
  const { env, cwd, self, includeDirectories } = sources;
  const plan = new MountPlan();
  for (const path of PRIVATE) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) plan.add(path, 'private');
  }
  if (config.networkAccess) add(plan, '/etc/resolv.conf', 'readonly');
  for (const { path, isDirectory } of secretPaths(homeOf(env), [], env))
    plan.add(path, 'hidden', isDirectory);
  addOwnState(plan, sources);
  // What signs in at Google, as in containers.
  for (const path of [join(homeOf(env), '.config/gcloud'), env['GOOGLE_APPLICATION_CREDENTIALS']]) {
    if (path) add(plan, path, 'readonly');
  }
  for (const path of self.filter((word) => word.startsWith('/'))) addProgram(plan, realPathOf(path));
  for (const path of [...config.allowedPaths, ...sources.allowedPaths]) add(plan, path, 'readonly');
  const project = realPathOf(cwd);
  const worktree = worktreeDirectories(project);
  for (const path of worktree ? [worktree.common, worktree.directory] : []) add(plan, path, 'writable');
  for (const path of [...includeDirectories, project]) add(plan, path, 'writable');
  for (const path of sources.projectDirectories) addOfProject(plan, realPathOf(path));
  for (const { path } of openSockets()) {
    const kind = plan.kindAt(path);
    if (kind !== 'hidden' && kind !== 'private') plan.add(path, 'hidden', false);
  }
  return plan;
}

/**
 * Our own directory is read-only, so that nothing inside changes settings, rules, extensions or compiled code that
 * run outside; only the files of this project are writable.
 */
function addOwnState(plan: MountPlan, { home, cwd }: WholeProcessSources): void {
  const state = join(home, '.gemini');
  const id = projectIdFor(state, realPathOf(cwd));
  const ofProject = ['tmp', 'history'].map((name) => join(state, name, id));
  const ofProcesses = ['sandbox', 'background-processes'].map((name) => join(state, 'tmp', name));
  try {
    for (const path of [...ofProject, ...ofProcesses]) mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // In a read-only home nothing is saved, with or without a sandbox.
  }
  add(plan, state, 'readonly');
  for (const path of ofProject) add(plan, path, 'writable');
  for (const path of ofProcesses) add(plan, path, 'private');
}

/** Read-only like the rest: only what a private directory covers needs a mount. Hidden paths stay hidden. */
function addOfProject(plan: MountPlan, path: string): void {
  const asked = plan.askedAt(path);
  if (asked?.kind === 'private' && asked.path !== path) add(plan, path, 'readonly');
}

/** Node and this program must be visible, wherever they are installed. */
function addProgram(plan: MountPlan, file: string): void {
  const kind = plan.kindAt(file);
  if (kind === 'private' || kind === 'hidden') add(plan, packageRoot(file, plan), 'readonly');
}

/** The outermost package around a file, below what is hidden; without one, the file itself. */
function packageRoot(file: string, plan: MountPlan): string {
  const hidden = plan.ordered().find(({ path }) => path !== file && isInside(file, path))?.path ?? '/';
  let found = file;
  for (let folder = dirname(file); folder !== hidden && isInside(folder, hidden); folder = dirname(folder)) {
    if (['package.json', 'node_modules'].some((name) => existsSync(join(folder, name)))) found = folder;
  }
  return found;
}

function add(plan: MountPlan, path: string, kind: 'readonly' | 'writable' | 'private'): void {
  const real = realPathOf(path);
  const stats = lstatSync(real, { throwIfNoEntry: false });
  if (stats) plan.add(real, kind, stats.isDirectory());
}
