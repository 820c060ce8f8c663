/**
 * The files in which companions say where they listen: `gemini-ide-server-<pid>-<port>.json`. Other programs and users can
 * write into the temporary directory, so a file counts only if it is the user's own and no one else can change it.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { visibleName } from '../../base/visible-text.js';
import type { IdeInfo } from '../types.js';

export interface ServerFile {
  readonly path: string;
  /** The editor's process. */
  readonly pid: number;
  readonly port: number;
  readonly token: string | undefined;
  /** Roots, joined like `PATH`; '' means that no folder is open. */
  readonly workspacePath: string | undefined;
  readonly ide: IdeInfo | undefined;
  readonly writtenAt: number;
}

export interface IgnoredFile {
  readonly path: string;
  readonly why: string;
}

/** `gemini-ide-server-<pid>.json` is the name that older companions use. */
const NAME = /^gemini-ide-server-(\d{1,10})(?:-(\d{1,5}))?\.json$/;
/** A file with a hundred roots has 10 KB. */
const MAX_BYTES = 256 * 1024;
/** The system's own user may have made the folder for all users. */
const ROOT = 0;
/** Each window of an editor has one; companions of the past left some behind. */
const MAX_FILES = 500;

/** @param userId of the process; undefined where files have no such owner (Windows) */
export function readServerFiles(
  directory: string,
  userId: number | undefined,
): { files: ServerFile[]; ignored: IgnoredFile[] } {
  const files: ServerFile[] = [];
  const ignored: IgnoredFile[] = [];
  if (userId !== undefined) {
    const unsafe = problemIn(dirname(directory), userId) ?? problemIn(directory, userId);
    if (unsafe) return { files, ignored: [unsafe] };
  }
  for (const name of namesIn(directory)) {
    const path = join(directory, name);
    try {
      files.push(readServerFile(path, name, userId));
    } catch (error) {
      ignored.push({ path, why: messageOf(error) });
    }
  }
  return { files, ignored };
}

function problemIn(path: string, userId: number): IgnoredFile | undefined {
  try {
    const why = folderProblem(path, userId);
    return why === undefined ? undefined : { path, why };
  } catch (error) {
    return { path, why: messageOf(error) };
  }
}

/** Who can rename a left-over file of the user can then wait on its port for the token. */
function folderProblem(path: string, userId: number): string | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (!facts) return undefined;
  // The mode of a link means nothing: all users seem to be able to change it.
  const target = facts.isSymbolicLink() ? statSync(path) : facts;
  if ([facts, target].some(({ uid }) => uid !== userId && uid !== ROOT)) return 'it belongs to another user.';
  const isOpen = (target.mode & WRITABLE_BY_ALL) !== 0 && (target.mode & STICKY) === 0;
  return isOpen ? 'all users can change it.' : undefined;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => NAME.test(name))
      .slice(0, MAX_FILES);
  } catch {
    return [];
  }
}

/** @throws with the reason why the file does not count */
function readServerFile(path: string, name: string, userId: number | undefined): ServerFile {
  const { text, facts } = readOwnFile(path, userId);
  const content: unknown = JSON.parse(text);
  if (!isObject(content)) throw new Error('it is not a JSON object.');
  const port = portOf(content['port']);
  if (port === undefined) throw new Error('it has no valid port.');
  const { workspacePath, authToken: token, ideInfo } = content;
  if (workspacePath !== undefined && typeof workspacePath !== 'string')
    throw new Error('its workspacePath is not a text.');
  if (token !== undefined && !isToken(token)) throw new Error('its authToken cannot be sent.');
  return {
    path,
    pid: Number(NAME.exec(name)?.[1]),
    port,
    token,
    workspacePath,
    ide: infoOf(ideInfo),
    writtenAt: Number(facts.mtimeMs),
  };
}

/** What is checked is what is read, even if another process replaces the file meanwhile. */
function readOwnFile(path: string, userId: number | undefined): { text: string; facts: BigIntStats } {
  // Neither a link to another file nor a pipe without a writer, on which the program would wait.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = fstatSync(file, { bigint: true });
    if (!facts.isFile()) throw new Error('it is not a regular file.');
    if (facts.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024} KB.`);
    if (userId !== undefined) {
      if (facts.uid !== BigInt(userId)) throw new Error('it belongs to another user.');
      if (isOpenToOthers(facts)) throw new Error('other users can change it.');
    }
    const buffer = Buffer.alloc(Number(facts.size));
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return { text: buffer.toString('utf8', 0, length), facts };
  } finally {
    closeSync(file);
  }
}

/**
 * Where users have a group of their own, with their own number, files are made writable for the group: companions that
 * do not set the mode are found there, too.
 */
export function isOpenToOthers({ mode, uid, gid }: Pick<BigIntStats, 'mode' | 'uid' | 'gid'>): boolean {
  const isOwnGroup = uid === gid;
  return (mode & BigInt(isOwnGroup ? WRITABLE_BY_ALL : WRITABLE_BY_OTHERS)) !== 0n;
}

const WRITABLE_BY_OTHERS = 0o022;
const WRITABLE_BY_ALL = 0o002;
/** Only the owner of a file can rename it. */
const STICKY = 0o1000;

export function portOf(value: unknown): number | undefined {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
  return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** It goes into a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,4096}$/.test(value);
}

function infoOf(value: unknown): IdeInfo | undefined {
  if (!isObject(value)) return undefined;
  const { name, displayName } = value;
  return isName(name) && isName(displayName) ? { name, displayName } : undefined;
}

function isName(value: unknown): value is string {
  // It is shown on the screen: what moves the cursor or hides text is no name.
  return (
    typeof value === 'string' && value.trim() !== '' && value.length <= 100 && visibleName(value) === value
  );
}
