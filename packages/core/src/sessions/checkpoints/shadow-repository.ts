/** Reads the files of a Gemini CLI checkpoint: a commit in its shadow repository, which is never written. */
import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import type { Variables } from '../../platform/environment.js';
import { type GitOptions, runGit } from '../../platform/git/git.js';
import { readRegular } from '../../platform/snapshots/file-state.js';
import { CheckpointError } from './error.js';
import type { WantedFile } from './wanted-files.js';

export interface ShadowRepository {
  /** `~/.gemini/history/<id>/.git`. */
  gitDir: string;
  /** Real path of the project. */
  root: string;
  /** The user's environment variables. */
  variables: Variables;
  isIgnored: (path: string) => boolean;
  /** Absolute paths of all files that ignore rules do not cover. */
  files: () => Promise<string[]>;
}

interface TreeEntry {
  mode: number;
  oid: string;
  size: number;
  path: string;
}

const LINK = 0o120_000;
const REGULAR = 0o100_000;
const LISTING_BYTES = 256 * 1024 * 1024;
const BATCH_BYTES = 32 * 1024 * 1024;
/** As with snapshots: a file too large to be restored later is not replaced. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** All files that differ from the commit. @throws CheckpointError when the commit cannot be read */
export async function filesAtCommit(repository: ShadowRepository, commit: string): Promise<WantedFile[]> {
  const { gitDir, root, isIgnored } = repository;
  if (!/^[0-9a-f]{7,64}$/i.test(commit)) throw unavailable('it does not name a commit');
  if (!lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory()) {
    throw unavailable(`the shadow repository of Gemini CLI is not there (${gitDir})`);
  }
  const entries = (await listTree(repository, commit)).map((entry) => ({
    ...entry,
    path: join(root, entry.path),
  }));
  const known = new Set(entries.map(({ path }) => path));
  const created = (await repository.files()).filter((path) => !known.has(path));
  const changed = entries.filter((entry) => !isIgnored(entry.path) && !isAsCommitted(entry));
  const contents = await readBlobs(repository, changed);
  return [
    ...changed.flatMap((entry): WantedFile[] => {
      const bytes = contents.get(entry.oid);
      if (!bytes) return [];
      const isLink = entry.mode === LINK;
      const content = isLink ? { link: bytes.toString('utf8') } : { bytes, mode: entry.mode & 0o777 };
      return [{ path: entry.path, content }];
    }),
    ...created.map((path) => ({ path, content: null })),
  ];
}

async function listTree(repository: ShadowRepository, commit: string): Promise<TreeEntry[]> {
  const { stdoutBytes } = await git(repository, [
    'ls-tree',
    '-r',
    '-l',
    '-z',
    '--full-tree',
    `${commit}^{commit}`,
  ]);
  const lines = (stdoutBytes?.toString('utf8') ?? '').split('\0').filter((line) => line !== '');
  return lines.flatMap((line): TreeEntry[] => {
    const [, mode = '', type, oid = '', size = '', path = ''] =
      /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
    const bits = Number.parseInt(mode, 8);
    const isFile = type === 'blob' && (bits === LINK || (bits & REGULAR) === REGULAR);
    return isFile && isSafePath(path) ? [{ mode: bits, oid, size: Number(size), path }] : [];
  });
}

/** A tree is untrusted: no path may lead out of the project or into a `.git` folder. */
function isSafePath(path: string): boolean {
  const names = path.split('/');
  return (
    names.every((name) => !['', '.', '..'].includes(name) && name.toLowerCase() !== '.git') &&
    !path.includes('\ufffd')
  );
}

function isAsCommitted({ path, mode, oid, size }: TreeEntry): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats || stats.size !== size) return false;
    if (mode === LINK)
      return stats.isSymbolicLink() && blobHash(Buffer.from(readlinkSync(path)), oid) === oid;
    if (!stats.isFile() || (stats.mode & 0o100) !== (mode & 0o100)) return false;
    const read = readRegular(path);
    return typeof read !== 'string' && blobHash(read.bytes, oid) === oid;
  } catch {
    return false;
  }
}

/** The git object id of a content; the length of a known id tells SHA-1 from SHA-256. */
function blobHash(bytes: Buffer, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function readBlobs(
  repository: ShadowRepository,
  entries: readonly TreeEntry[],
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const wanted = entries.filter(({ size }) => size <= MAX_FILE_BYTES);
  for (let start = 0; start < wanted.length; ) {
    let bytes = 0;
    let end = start;
    while (end < wanted.length && (end === start || bytes + (wanted[end]?.size ?? 0) <= BATCH_BYTES)) {
      bytes += wanted[end++]?.size ?? 0;
    }
    const batch = wanted.slice(start, end);
    const input = `${batch.map(({ oid }) => oid).join('\n')}\n`;
    const limit = bytes + batch.length * 200 + 1024;
    const { stdoutBytes } = await git(repository, ['cat-file', '--batch'], { input, maxOutputBytes: limit });
    takeBatch(stdoutBytes ?? Buffer.alloc(0), found);
    start = end;
  }
  return found;
}

/** `<oid> blob <size>\n<bytes>\n`, one after the other. */
function takeBatch(output: Buffer, found: Map<string, Buffer>): void {
  for (let at = 0; at < output.length; ) {
    const lineEnd = output.indexOf(10, at);
    if (lineEnd < 0) return;
    const [oid = '', type, size] = output.subarray(at, lineEnd).toString('latin1').split(' ');
    at = lineEnd + 1;
    if (type !== 'blob') continue;
    found.set(oid, Buffer.from(output.subarray(at, at + Number(size))));
    at += Number(size) + 1;
  }
}

async function git(
  { gitDir, root, variables }: ShadowRepository,
  args: readonly string[],
  options: Partial<GitOptions> = {},
) {
  let result: Awaited<ReturnType<typeof runGit>>;
  try {
    result = await runGit(args, {
      maxOutputBytes: LISTING_BYTES,
      timeoutMs: TIMEOUT_MS,
      ...options,
      cwd: root,
      variables,
      gitDir,
      workTree: root,
      wantsBytes: true,
    });
  } catch (error) {
    throw unavailable(messageOf(error));
  }
  const { exitCode, stderr, truncated, error, endedBy } = result;
  if (exitCode === 0 && !truncated) return result;
  const why =
    error?.message ?? endedBy ?? (truncated ? 'it holds too many files' : stderr.trim().split('\n')[0]);
  throw unavailable(`git says: ${why}`);
}

function unavailable(why: string): CheckpointError {
  return new CheckpointError(
    'FILES_UNAVAILABLE',
    `The files of this checkpoint cannot be restored: ${why.replace(/[.\s]+$/, '')}.`,
  );
}
