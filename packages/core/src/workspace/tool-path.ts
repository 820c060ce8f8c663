/** Resolves paths that a model wrote, for every file and search tool. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { WorkspaceHost } from './host.js';

export type PathHost = Pick<WorkspaceHost, 'getTargetDir' | 'getEnvironment'>;
export type ToolPath = { path: string } | { problem: string };

/**
 * The absolute path of `rawPath`, or why it is not a path. Does not check access: the caller calls
 * `host.validatePathAccess` next.
 */
export function resolveToolPath(host: PathHost, rawPath: string): ToolPath {
  const text = rawPath.replaceAll('\0', '');
  if (text.trim() === '') return { problem: 'The path must be non-empty.' };
  const root = host.getTargetDir();
  const expanded = expandHome(text, root, () => host.getEnvironment().home);
  if (expanded === undefined) {
    return { problem: `Cannot expand "${text.split(/[/\\]/)[0]}": write the path relative or absolute.` };
  }
  const path = resolve(root, dropAtSign(expanded, root));
  if (/[\n\r\t]/.test(text) || (looksLikeProse(text) && !existsSync(path))) {
    return {
      problem: `Not a file path: ${JSON.stringify(clip(text, 120))}. Give the path of a file or folder.`,
    };
  }
  const tooLong = lengthProblem(path);
  return tooLong ? { problem: tooLong } : { path };
}

/** Limits of file systems. Checked here because the system's error names neither the part nor the limit. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 4095;

function lengthProblem(path: string): string | undefined {
  const long = path.length > MAX_PATH_BYTES / 4 ? Buffer.byteLength(path) : 0;
  if (long > MAX_PATH_BYTES)
    return `The path is too long: ${long} bytes, at most ${MAX_PATH_BYTES} are possible: ${clip(path, 120)}`;
  for (const name of path.split(sep)) {
    const bytes = name.length > MAX_NAME_BYTES / 4 ? Buffer.byteLength(name) : 0;
    if (bytes > MAX_NAME_BYTES)
      return `The name is too long: ${bytes} bytes, at most ${MAX_NAME_BYTES} are possible: ${clip(name, 120)}`;
  }
  return undefined;
}

export function relativeToRoot(host: Pick<PathHost, 'getTargetDir'>, absolutePath: string): string {
  return makeRelative(absolutePath, host.getTargetDir());
}

/** As the user would write it: relative below the project root, absolute elsewhere. */
export function makeRelative(absolutePath: string, rootDirectory: string): string {
  const shown = relative(rootDirectory, absolutePath);
  if (shown === '') return '.';
  return shown === '..' || shown.startsWith(`..${sep}`) || isAbsolute(shown) ? absolutePath : shown;
}

/** Escapes control characters, so that a name with a line break cannot look like two entries. */
export function onOneLine(path: string): string {
  return path.replace(/[\x00-\x1f\x7f]/g, (character) => JSON.stringify(character).slice(1, -1));
}

/** Keeps the first and the last segments of a path that is too long for one line. */
export function shortenPath(path: string, limit = 80): string {
  if (path.length <= limit) return path;
  const segments = path.split(sep);
  const head = segments[0] === '' ? `${sep}${segments[1] ?? ''}` : (segments[0] ?? '');
  const room = limit - head.length - 2 * sep.length - 3;
  let tail = '';
  for (let index = segments.length - 1; index > 0; index--) {
    const longer = tail === '' ? (segments[index] ?? '') : `${segments[index]}${sep}${tail}`;
    if (longer.length > room) break;
    tail = longer;
  }
  return tail === '' ? `...${path.slice(3 - limit)}` : `${head}${sep}...${sep}${tail}`;
}

/** Expands `~` and `~/x`; undefined for another user's home, unless a file has that name (`~$letter.docx`). */
function expandHome(text: string, root: string, home: () => string): string | undefined {
  if (!text.startsWith('~')) return text;
  const [first = '', ...rest] = text.split(/[/\\]/);
  if (first === '~') return join(home(), ...rest);
  return rest.length === 0 || existsSync(join(root, first)) ? text : undefined;
}

/** Models copy the `@` of a file reference in the prompt into the path. */
function dropAtSign(text: string, root: string): string {
  if (!text.startsWith('@')) return text;
  if (existsSync(resolve(root, text))) return text;
  const first = text.split(/[/\\]/)[0] ?? '';
  if (first !== '@' && existsSync(resolve(root, first))) return text;
  return text.replace(/^@[/\\]*/, '') || '.';
}

const NOISE = ['AssertionError:', 'FAIL ', '✓ ', '× ', 'TestingLibraryElementError:'];

/** Recognises test output and prose that a model mistakes for a path. */
function looksLikeProse(text: string): boolean {
  return text.split(/[/\\]/).some((component) => {
    if (NOISE.some((start) => component.startsWith(start))) return true;
    // `[...slug]` is a common name for a route file.
    return component.length > 20 && /"|\.\.\./.test(component.replaceAll('[...', ''));
  });
}

function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}
