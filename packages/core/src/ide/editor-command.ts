/** The editor's own command, which installs extensions. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isObject } from '../base/objects.js';
import type { Variables } from '../platform/environment.js';

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

/** Where the editor's own parts have the command, from the folder with its `product.json`: desktop, then remote. */
const PLACES = ['bin', '../../bin', '../../../bin', 'bin/remote-cli'];

/**
 * The command of the editor whose terminal this is. Insiders, VSCodium, Windsurf, code-server and others have names of
 * their own, and `code` would install into another editor. Its git extension says where the editor lies.
 */
function ownCommand({ VSCODE_GIT_ASKPASS_MAIN: askpass = '' }: Variables): string | undefined {
  const [, app] = /^(.+)[\\/]extensions[\\/]git[\\/]/.exec(askpass) ?? [];
  if (app === undefined || !isAbsolute(app)) return undefined;
  const name = commandName(app);
  if (name === undefined) return undefined;
  const paths = PLACES.flatMap((place) => ENDINGS().map((ending) => join(app, place, name + ending)));
  return paths.find(isProgram);
}

function commandName(app: string): string | undefined {
  try {
    const product: unknown = JSON.parse(readFileSync(join(app, 'product.json'), 'utf8'));
    const name = isObject(product) ? product['applicationName'] : undefined;
    return typeof name === 'string' && /^\w[\w.-]*$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
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
