/** Paths hidden from sandboxed commands: the user's secrets and sockets of other programs (`.env`: `env-files.ts`). */
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { HOME_SECRETS, SYSTEM_SECRETS } from './secret-files.js';

/** Variables with the path of a secret file. */
const SECRET_FILE_VARIABLES = ['GOOGLE_APPLICATION_CREDENTIALS', 'KUBECONFIG', 'XAUTHORITY', 'NETRC'];

export interface HiddenPath {
  path: string;
  isDirectory: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @param own our own directories */
export function secretPaths(home: string, own: readonly string[], env: Environment): HiddenPath[] {
  const named = SECRET_FILE_VARIABLES.flatMap((name) => env[name]?.split(':') ?? []).filter(Boolean);
  const candidates = [...own, ...HOME_SECRETS.map((name) => join(home, name)), ...SYSTEM_SECRETS, ...named];
  return candidates.flatMap((path) => existing(path) ?? []);
}

export interface DirectoryEntry {
  name: string;
  kind: 'directory' | 'link' | 'other';
}

export type DirectoryReader = (directory: string) => readonly DirectoryEntry[];

/** A newer socket may be removed before it is mounted over, and the command would not start. */
const SETTLED_MS = 2_000;

/** Paths of the unix sockets that programs have open now. */
export function openSockets(now = Date.now()): HiddenPath[] {
  let table: string;
  try {
    table = readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return [];
  }
  const paths = table.split('\n').flatMap((line) => / (\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)]
    .flatMap((path) => existing(path) ?? [])
    .filter(({ path }) => isSettled(path, now));
}

function isSettled(path: string, now: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && now - stats.mtimeMs >= SETTLED_MS;
}

/** Variables that lead programs to sockets and displays, which do not exist inside. */
export const SOCKET_VARIABLES: readonly string[] = (
  'SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY ' +
  'XAUTHORITY XDG_RUNTIME_DIR DOCKER_HOST CONTAINER_HOST'
).split(' ');

/** The real path; undefined when it does not exist or cannot be read. */
export function existing(path: string): HiddenPath[] | undefined {
  try {
    // Most do not exist, and an exception is slow.
    if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
    const real = realpathSync.native(path);
    return [{ path: real, isDirectory: lstatSync(real).isDirectory() }];
  } catch {
    return undefined;
  }
}

/** Empty when the directory cannot be read. */
export function readDirectory(directory: string): DirectoryEntry[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'other',
    }));
  } catch {
    return [];
  }
}
