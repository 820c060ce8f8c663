/** Gives each project an id, the folder name of its private files, recorded in `~/.gemini/projects.json`. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Variables } from '../environment.js';
import { tryLock } from '../locks/lock-file.js';
import { lockSignature } from '../locks/lock-owner.js';
import { createLog } from '../log.js';
import { adoptHashDirectories } from './hash-directories.js';
import { globalGeminiDir, Storage } from './storage.js';

const log = createLog('storage');
const STALE_LOCK_MS = 10_000;

/** Known projects keep their id; a new one is recorded at once. A read-only home is not an error. */
export function projectIdFor(globalDir: string, projectRoot: string): string {
  const registryPath = join(globalDir, 'projects.json');
  const known = readProjects(registryPath)[projectRoot];
  if (known) return known;
  try {
    mkdirSync(globalDir, { recursive: true, mode: 0o700 });
    return withLock(`${registryPath}.lock`, () => register(globalDir, registryPath, projectRoot));
  } catch (error) {
    log.warn('project not registered', error);
    return slugOf(projectRoot);
  }
}

/** The storage of a project, with its id. @param projectRoot absolute real path */
export function storageOf(variables: Variables, projectRoot: string): Storage {
  const globalDir = globalGeminiDir(variables);
  return new Storage({ globalDir, projectRoot, projectId: projectIdFor(globalDir, projectRoot) });
}

/** The roots of all projects that have an id. */
export function knownProjects(globalDir: string): string[] {
  return Object.keys(readProjects(join(globalDir, 'projects.json')));
}

function register(globalDir: string, registryPath: string, projectRoot: string): string {
  const projects = readProjects(registryPath);
  const existing = projects[projectRoot];
  if (existing) return existing;
  const taken = new Set(Object.values(projects));
  const id = freeId(
    slugOf(projectRoot),
    (name) => taken.has(name) || belongsToAnother(globalDir, name, projectRoot),
  );
  const temporary = `${registryPath}.${process.pid}.tmp`;
  const text = `${JSON.stringify({ projects: { ...projects, [projectRoot]: id } }, null, 2)}\n`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, registryPath);
  } finally {
    rmSync(temporary, { force: true });
  }
  try {
    adoptHashDirectories(globalDir, projectRoot, id);
    claim(globalDir, id, projectRoot);
  } catch (error) {
    // The id is recorded already.
    log.warn('project folders not prepared', error);
  }
  return id;
}

const MARKER = '.project_root';
/** Folders of the user's `.gemini` with one directory for each project. */
const KINDS = ['tmp', 'history'];

/** Writes a marker with the project that owns the directories. */
function claim(globalDir: string, id: string, projectRoot: string): void {
  for (const kind of KINDS) {
    const directory = join(globalDir, kind, id);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, MARKER), projectRoot);
  }
}

/** The marker protects the files of other projects when the registry is lost. */
function belongsToAnother(globalDir: string, id: string, projectRoot: string): boolean {
  return KINDS.some((kind) => {
    try {
      const owner = readFileSync(join(globalDir, kind, id, MARKER), 'utf8').trim();
      return owner !== '' && owner !== projectRoot;
    } catch {
      return false;
    }
  });
}

function slugOf(projectRoot: string): string {
  const slug = basename(projectRoot)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug || 'project';
}

function freeId(slug: string, isTaken: (id: string) => boolean): string {
  let id = slug;
  for (let n = 1; isTaken(id); n++) id = `${slug}-${n}`;
  return id;
}

function readProjects(path: string): Record<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
  const projects = (value as { projects?: unknown } | null)?.projects;
  if (typeof projects !== 'object' || projects === null) return {};
  return Object.fromEntries(Object.entries(projects).filter(([, id]) => typeof id === 'string'));
}

/** One left by a killed process is taken over after ten seconds. */
function withLock<T>(path: string, work: () => T): T {
  for (let attempt = 0; attempt <= 40; attempt++) {
    const lock = tryLock(path, lockSignature(), ({ mtimeMs }) => Date.now() - mtimeMs > STALE_LOCK_MS);
    if (!lock) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
      continue;
    }
    try {
      return work();
    } finally {
      lock.release();
    }
  }
  throw new Error(`${path} is held by another process`);
}
