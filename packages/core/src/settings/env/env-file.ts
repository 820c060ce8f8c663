/** Finds and reads the one `.env` file in effect. Does not change the environment: the caller does. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { geminiHome, homeOf } from '../../platform/environment.js';
import { FileError } from '../../platform/files/file-error.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { readFileBytes } from '../../platform/files/safe-read.js';
import { allowedWhenUntrusted } from '../trust/untrusted.js';
import type { FileProblem } from '../types.js';
import { ALWAYS_EXCLUDED, isRefusedFromProject } from './env-names.js';
import { type ParsedEnv, parseEnv } from './env-parse.js';

export interface EnvFileRequest {
  cwd: string;
  /** Whether the user trusts `cwd`. */
  trusted: boolean;
  env: NodeJS.ProcessEnv;
  /** `advanced.excludedEnvVars` */
  excluded: readonly string[];
  /** `advanced.ignoreLocalEnv` or `--ignore-env` */
  ignoreLocal: boolean;
  /** Whether the user refused to trust a parent of `cwd`; its file is skipped. */
  isUntrusted?: (directory: string) => boolean;
  /** Used only in Cloud Shell. */
  authType?: string;
}

export type EnvSkipKind = 'untrusted' | 'unreadable';

export interface SkippedEnvFile {
  path: string;
  kind: EnvSkipKind;
  /** For the user. */
  reason: string;
}

export interface LoadedEnvFile {
  /** The file in use, if there is one. */
  path?: string;
  /** Variables to add to the environment: only those not set already (except the project in Cloud Shell). */
  variables: Record<string, string>;
  /** Those of `variables` that a project's file sets, not the user's own. */
  fromProject: string[];
  /** Names in the file that a project may not set. */
  refused: string[];
  /** Existing files that were not used. */
  skipped: SkippedEnvFile[];
  problems: FileProblem[];
}

const LARGEST = 1024 * 1024;

export function loadEnvFile(request: EnvFileRequest): LoadedEnvFile {
  const result: LoadedEnvFile = { variables: {}, fromProject: [], refused: [], skipped: [], problems: [] };
  for (const place of placesOf(request)) {
    const parsed = read(place, request, result);
    if (!parsed) continue;
    result.path = place.path;
    result.problems = parsed.problems.map((problem) => ({
      severity: 'warning' as const,
      file: place.path,
      ...problem,
    }));
    result.variables = chosen(parsed, place, request, result.refused);
    if (!place.isUsers) result.fromProject = Object.keys(result.variables);
    break;
  }
  if (isProjectForced(request)) result.variables[PROJECT] ??= 'cloudshell-gca';
  return result;
}

interface Place {
  path: string;
  /** One of the two files in the user's home. */
  isUsers: boolean;
  directory: string;
}

/** All candidates in search order, existing or not. */
function placesOf({ cwd, env, ignoreLocal }: EnvFileRequest): Place[] {
  const home = resolve(geminiHome(env));
  const homes = new Set([home, realPathOf(home)]);
  const ends = new Set([...homes, resolve(homeOf(env))]);
  const places: Place[] = [];
  for (let directory = resolve(cwd); !homes.has(directory); directory = dirname(directory)) {
    places.push({ path: join(directory, '.gemini', '.env'), isUsers: false, directory });
    if (!ignoreLocal) places.push({ path: join(directory, '.env'), isUsers: false, directory });
    const isLast = ends.has(directory) || dirname(directory) === directory;
    if (isLast || existsSync(join(directory, '.git'))) break;
  }
  places.push({ path: join(home, '.gemini', '.env'), isUsers: true, directory: home });
  places.push({ path: join(home, '.env'), isUsers: true, directory: home });
  return places.filter(({ path }, index) => !isRepeated(places, path, index));
}

/** With `~/.gemini` as the working directory, its file belongs to the user, not to the project. */
function isRepeated(places: readonly Place[], path: string, index: number): boolean {
  return places.some((place, other) => place.isUsers && other > index && place.path === path);
}

function read(place: Place, request: EnvFileRequest, { skipped }: LoadedEnvFile): ParsedEnv | undefined {
  const stats = statOrUndefined(place.path);
  // A directory of this name is a Python virtual environment.
  if (!stats || stats.isDirectory()) return undefined;
  const skip = (kind: EnvSkipKind, reason: string) => {
    skipped.push({ path: place.path, kind, reason });
    return undefined;
  };
  if (!place.isUsers) {
    if (!request.trusted && !allowedWhenUntrusted('project_env')) {
      return skip('untrusted', 'the folder is not trusted');
    }
    if (place.directory !== resolve(request.cwd)) {
      if (request.isUntrusted?.(place.directory)) {
        return skip('untrusted', `the folder ${place.directory} is not trusted`);
      }
      if (isForeign(stats.uid, place.path)) return skip('untrusted', 'it belongs to another user');
    }
  }
  try {
    const { bytes } = readFileBytes(place.path, { limit: LARGEST });
    if (bytes.includes(0)) return skip('unreadable', 'it is not a text file');
    return parseEnv(bytes.toString('utf8'));
  } catch (error) {
    return skip('unreadable', whyUnreadable(error));
  }
}

function chosen(
  { variables }: ParsedEnv,
  place: Place,
  request: EnvFileRequest,
  refused: string[],
): Record<string, string> {
  const { env, excluded } = request;
  const isForced = isProjectForced(request);
  const isOurs = basename(dirname(place.path)) === '.gemini';
  const left = new Set<string>(isOurs || place.isUsers ? [] : [...excluded, ...ALWAYS_EXCLUDED]);
  const entries: [string, string][] = [];
  for (const [name, value] of variables) {
    if (left.has(name)) continue;
    if (!place.isUsers && isRefusedFromProject(name)) refused.push(name);
    else if (env[name] === undefined || (name === PROJECT && isForced)) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

const PROJECT = 'GOOGLE_CLOUD_PROJECT';

/**
 * Google's Cloud Shell sets a project that cannot be used, so the file's project or a default replaces it, unless the
 * user signs in with Vertex AI.
 */
function isProjectForced({ env, authType }: EnvFileRequest): boolean {
  return env['CLOUD_SHELL'] === 'true' && authType !== 'vertex-ai';
}

function statOrUndefined(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // a parent is not readable, or a cycle of links
  }
}

/** In a parent of the trusted folder, e.g. /tmp, another user may have planted a file. Root in a container sees many owners. */
function isForeign(owner: number, path: string): boolean {
  const us = process.getuid?.();
  if (us === undefined || owner === us || owner === 0) return false;
  const isOpenToAll = ((statOrUndefined(dirname(path))?.mode ?? 0) & 0o002) !== 0;
  return us !== 0 || isOpenToAll;
}

function whyUnreadable(error: unknown): string {
  const problem = error instanceof FileError ? error.problem : 'io';
  switch (problem) {
    case 'too_large':
      return `it is larger than ${LARGEST / 1024} KB`;
    case 'special':
      return 'it is not a regular file';
    case 'denied':
      return 'reading it is not permitted';
    default:
      return 'it cannot be read';
  }
}
