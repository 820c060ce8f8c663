/** The Chrome, Chromium or Edge that is installed on this machine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import type { Environment } from '../../platform/environment.js';
import { findProgram } from '../../platform/process/find-program.js';

const NAMES = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'chrome',
  'microsoft-edge',
];
const MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const WINDOWS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

/** @throws UserError where there is none */
export function findBrowser({ variables, home }: Pick<Environment, 'variables' | 'home'>): string {
  const found = find(variables, home);
  if (found === undefined)
    throw new UserError(
      'No Chrome, Chromium or Edge was found. Install one of them to use the browser agent.',
    );
  return found;
}

function find(variables: Environment['variables'], home: string): string | undefined {
  if (process.platform === 'darwin')
    return ['/Applications', join(home, 'Applications')]
      .flatMap((folder) => MAC.map((name) => join(folder, `${name}.app/Contents/MacOS/${name}`)))
      .find((path) => existsSync(path));
  if (process.platform === 'win32')
    return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
      .flatMap((name) => WINDOWS.map((path) => join(variables[name] || 'C:\\Program Files', path)))
      .find((path) => existsSync(path));
  for (const name of NAMES) {
    const found = findProgram(name, variables['PATH']);
    if (found !== undefined) return found;
  }
  return undefined;
}
