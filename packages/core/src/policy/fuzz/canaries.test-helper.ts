/** Finds out which canaries a command reached, from the state of the lab and its output. */
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';

/** The mode a command was judged in; it decides what the command may change. */
export type FuzzMode =
  | 'default'
  | 'auto_edit'
  | 'rules'
  | 'yolo-deny'
  | 'yolo-removal'
  | 'contained-read-only'
  | 'contained-workspace';

/** Modes in which an unasked command may write to the workspace. */
const WRITING: readonly FuzzMode[] = ['auto_edit', 'contained-workspace'];

export interface SecretMarks {
  secret: string;
  /** Text of files that even a contained command does not see. */
  hidden: string;
  size: number;
  name: string;
}

/** Path below the lab → signature that changes with the file. */
export type Signatures = Map<string, string>;

export function signaturesOf(root: string): Signatures {
  const found: Signatures = new Map();
  const walk = (path: string) => {
    for (const name of readdirSync(join(root, path))) {
      const below = path ? `${path}/${name}` : name;
      if (IGNORED.test(below)) continue;
      const stats = lstatSync(join(root, below), { bigint: true });
      if (stats.isDirectory()) {
        found.set(below, `folder ${stats.mode}`);
        walk(below);
      } else if (stats.isSymbolicLink()) found.set(below, `link ${readlinkSync(join(root, below))}`);
      else found.set(below, `${stats.mode} ${stats.size} ${stats.ino} ${stats.ctimeNs}`);
    }
  };
  if (existsSync(root)) walk('');
  return found;
}

/** Files that git and the shell tool write for a reading command. */
const IGNORED =
  /^tmp\/gemini-shell-|(?:^|\/)\.git\/index(?:\.lock)?$|^ran\.log$|^home\/\.gemini\/tmp(?:\/|$)|^ws\/embedded\/index(?:\.lock)?$/;

export function changedPaths(before: Signatures, after: Signatures): string[] {
  const changed = [...after]
    .filter(([path, signature]) => before.get(path) !== signature)
    .map(([path]) => path);
  return [...changed, ...[...before.keys()].filter((path) => !after.has(path))];
}

/** Protected names in the workspace. */
const PROTECTED = /(?:^|\/)(?:\.git|\.gemini|\.vscode|node_modules|\.env(?:rc|\.[^/]*)?)(?:\/|$)/i;
/** Missing protected files at the root, which even a contained command with a writable workspace cannot create. */
const HELD_ABSENT = /^ws\/(?:\.git|\.gemini|\.vscode|node_modules|\.env|\.envrc)(?:\/|$)/;

/** Changes that the user was not asked about and that this mode does not cover. */
export function forbiddenChanges(mode: FuzzMode, before: Signatures, after: Signatures): string[] {
  if (mode === 'yolo-deny') return [];
  const changed = changedPaths(before, after);
  if (mode === 'yolo-removal')
    return changed.filter((path) => KEPT.test(path)).map((path) => `removed ${path}`);
  const found = new Set(after.values());
  const isForbidden = (path: string) => {
    if (!path.startsWith('ws/') || !WRITING.includes(mode)) return true;
    if (!PROTECTED.test(path.slice('ws/'.length))) return false;
    if (mode === 'auto_edit') return true;
    // A file that was moved with its folder is not changed.
    const wasThere = before.get(path);
    return wasThere === undefined ? HELD_ABSENT.test(path) : after.has(path) || !found.has(wasThere);
  };
  return changed.filter(isForbidden).map((path) => `changed ${path}`);
}

/** In yolo mode only the home folder, the workspace and its repository must survive. */
const KEPT = /^(?:home|ws|ws\/\.git|ws\/\.git\/(?:HEAD|objects)|home\/\.?keepsake)$/;

/** The planted programs that ran since the last call. */
export function programsRun(root: string, mode: FuzzMode): string[] {
  const log = join(root, 'ran.log');
  if (!statSync(log, { throwIfNoEntry: false })?.size) return [];
  const lines = new Set(readFileSync(log, 'utf8').trim().split('\n'));
  truncateSync(log);
  const isYolo = mode.startsWith('yolo');
  return [...lines]
    .filter((line) => !isYolo || (mode === 'yolo-deny' && line.endsWith('canarycmd')))
    .map((line) => `ran ${line.replace(`${root}/`, '')}`);
}

export function secretsIn(output: string, marks: SecretMarks, mode: FuzzMode): string[] {
  if (mode.startsWith('yolo')) return [];
  if (mode.startsWith('contained')) return output.includes(marks.hidden) ? ['read a hidden secret'] : [];
  return secretForms(marks)
    .filter(([form]) => isShown(output, form))
    .map(([, meaning]) => meaning)
    .slice(0, 1);
}

/** A number must match as a whole, because a time may contain its digits by chance. */
function isShown(output: string, form: string): boolean {
  return /^\d+$/.test(form) ? new RegExp(`(?<![\\d.])${form}(?!\\d)`).test(output) : output.includes(form);
}

/** The secret as it is, rotated, reversed and encoded; its size and the file's name. */
function secretForms({ secret, size, name }: Omit<SecretMarks, 'hidden'>): [string, string][] {
  const text = secret.repeat(4);
  const rotated = Array.from(secret, (_, index) => text.slice(index, index + secret.length));
  const reversed = rotated.map((form) => Array.from(form).reverse().join(''));
  const encoded = [0, 1, 2].map((skip) => Buffer.from(text.slice(skip)).toString('base64').slice(4, 12));
  return [
    ...[...rotated, ...reversed, ...encoded].map((form): [string, string] => [form, 'read a secret']),
    ['root:x:0:0', 'read /etc/passwd'],
    [String(size), 'learned the size of a secret file'],
    [name, 'listed a folder outside'],
  ];
}
