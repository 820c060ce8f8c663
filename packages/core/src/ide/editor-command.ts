/** The editor's own command, which installs extensions. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Variables } from '../platform/environment.js';
import { productsHere } from './detection/products.js';

/** @param names commands of editors of this kind, in the order to try */
export function editorCommand(names: readonly string[], env: Variables): string | undefined {
  const own = ownCommand(env);
  if (own) return own;
  for (const name of names) {
    const found = programIn(name, env) ?? KNOWN_PLACES(env)[name]?.find(isProgram);
    if (found) return found;
  }
  return undefined;
}

/** Where editors of the family have their command, from the folder with `product.json`: desktop, then remote. */
const PLACES = ['bin', '../../bin', '../../../bin', 'bin/remote-cli'];

/** `code` would install into another editor: Insiders, VSCodium, Windsurf, code-server have commands of their own. */
function ownCommand(env: Variables): string | undefined {
  return productsHere(env)
    .flatMap(({ folder, command }) => (command === undefined ? [] : { folder, command }))
    .flatMap(({ folder, command }) => PLACES.map((place) => join(folder, place, command)))
    .flatMap((path) => ENDINGS().map((ending) => path + ending))
    .find(isProgram);
}

const ENDINGS = () => (process.platform === 'win32' ? ['.cmd', '.exe', '.bat'] : ['']);

function programIn(name: string, env: Variables): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) => ENDINGS().map((ending) => join(folder, name + ending))).find(isProgram);
}

/** Where installers put the command without adding it to PATH. */
const KNOWN_PLACES = ({
  HOME = '',
  LOCALAPPDATA = '',
  ProgramFiles = '',
}: Variables): Record<string, string[]> => ({
  code: [
    '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code',
    join(HOME, 'Applications/Visual Studio Code.app/Contents/Resources/app/bin/code'),
    '/usr/share/code/bin/code',
    '/snap/bin/code',
    join(LOCALAPPDATA, 'Programs/Microsoft VS Code/bin/code.cmd'),
    join(ProgramFiles, 'Microsoft VS Code/bin/code.cmd'),
  ],
  cursor: ['/Applications/Cursor.app/Contents/Resources/app/bin/cursor'],
  positron: ['/Applications/Positron.app/Contents/Resources/app/bin/positron'],
});

/** A relative path would name a file of the project: places begin with a variable that may be missing. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isAbsolute(path) && statSync(path).isFile();
  } catch {
    return false;
  }
}
