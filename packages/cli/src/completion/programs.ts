/** Lists the programs on the PATH, once and in the background. */
import { readdir } from 'node:fs/promises';
import { delimiter, isAbsolute } from 'node:path';
import type { Variables } from '@gemini-cli/core';

const WINDOWS_PROGRAM = /\.(?:exe|cmd|bat|com|ps1)$/i;

/** Reads the PATH at the first call; only a new session finds programs installed later. */
export function programsOnPath(env: Variables): () => Promise<readonly string[]> {
  let reading: Promise<readonly string[]> | undefined;
  return () => {
    reading ??= readPrograms(env);
    return reading;
  };
}

async function readPrograms(env: Variables): Promise<string[]> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const listed = await Promise.all(
    [...new Set(folders)].map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])),
  );
  const names = listed
    .flat()
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map(({ name }) => (process.platform === 'win32' ? name.replace(WINDOWS_PROGRAM, '') : name));
  return [...new Set(names)].filter((name) => !/\p{C}/u.test(name)).sort();
}
