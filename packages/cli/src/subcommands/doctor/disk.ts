/** Checks that ~/.gemini can be written, has room and is private. */
import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join as joinPath } from 'node:path';
import { codeOf, messageOf } from '@gemini-cli/core';
import { type Check, type CheckResult, failure, join, ok, warning } from './check.js';

export const disk: Check = {
  id: 'disk',
  title: 'Disk',
  run({ home }) {
    const own = joinPath(home, '.gemini');
    return join([writable(own), room(own), room(tmpdir()), closed(own)]);
  },
};

function writable(own: string): CheckResult {
  const stats = statOf(own);
  if (stats && !stats.isDirectory()) {
    return failure(
      [`${own} is not a directory`],
      'Move that file away; the program creates the directory itself.',
    );
  }
  const nearest = nearestDirectory(own);
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(stats ? `${own} can be written` : `${own} does not exist yet; it can be created`);
  } catch (error) {
    const reason =
      codeOf(error) === 'EROFS' ? 'is on a read-only disk' : `cannot be used: ${messageOf(error)}`;
    return failure(
      [`${nearest} ${reason}`],
      `Make ${nearest} readable and writable for yourself, or set GEMINI_CLI_HOME to another directory: without ` +
        'it no settings, sessions or credentials can be saved.',
    );
  }
}

const MEGABYTE = 2 ** 20;

function room(path: string): CheckResult {
  const directory = nearestDirectory(path);
  let free: number;
  try {
    const { bavail, bsize } = statfsSync(directory);
    free = (bavail * bsize) / MEGABYTE;
  } catch {
    return ok(); // `writable` has reported it, or the file system does not tell
  }
  const detail = `${Math.floor(free).toLocaleString('en')} MB free in ${directory}`;
  if (free >= 200) return ok(detail);
  const remedy = 'Free some space: sessions and tool output are written there.';
  return free < 10 ? failure([detail], remedy) : warning([detail], remedy);
}

/** Files that may hold credentials. */
const PRIVATE = [
  'oauth_creds.json',
  'gemini-credentials.json',
  'google_accounts.json',
  'mcp-oauth-tokens.json',
  'a2a-oauth-tokens.json',
  'auth-cache.json',
  '.env',
];

function closed(own: string): CheckResult {
  if (process.platform === 'win32') return ok();
  const results: CheckResult[] = [];
  const directory = statOf(own);
  if (directory && (directory.mode & 0o022) !== 0) {
    results.push(
      warning([`${own} (${modeOf(directory)}) can be changed by other users`], `Run: chmod 700 ${own}`),
    );
  }
  for (const path of PRIVATE.map((name) => joinPath(own, name))) {
    const stats = statOf(path);
    if (!stats?.isFile() || (stats.mode & 0o077) === 0) continue;
    results.push(
      warning([`${path} (${modeOf(stats)}) can be read by other users`], `Run: chmod 600 ${path}`),
    );
  }
  return join(results);
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

function nearestDirectory(path: string): string {
  let directory = path;
  while (!existsSync(directory) && dirname(directory) !== directory) directory = dirname(directory);
  return directory;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // a parent cannot be read, which `writable` reports
  }
}
