/** Reads a theme given as a path in `ui.theme`. */
import { readFile, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { messageOf } from '@gemini-cli/core';
import { type CustomTheme, readCustomTheme } from './custom.js';

export function isThemePath(name: string): boolean {
  return name.endsWith('.json') || name.startsWith('~/') || isAbsolute(name);
}

/** Only files in the home directory: a project must not make the program read other files. */
export async function readThemeFile(
  path: string,
  home: string,
): Promise<CustomTheme | { warnings: string[] }> {
  const fail = (why: string) => ({ warnings: [`The theme file ${path} is not used: ${why}`] });
  try {
    const full = await realpath(path.startsWith('~/') ? join(home, path.slice(2)) : path);
    const inside = relative(await realpath(home), full);
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
      return fail('it is not inside of the home directory.');
    }
    const data: unknown = JSON.parse(await readFile(full, 'utf8'));
    return readCustomTheme(nameIn(data) ?? basename(full, '.json'), data);
  } catch (error) {
    return fail(messageOf(error));
  }
}

function nameIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('name' in data)) return undefined;
  return typeof data.name === 'string' && data.name.trim() !== '' ? data.name : undefined;
}
