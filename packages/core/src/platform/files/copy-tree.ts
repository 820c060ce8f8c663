/** Copies a folder from outside: only files, folders and links that stay inside, up to a limit. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { isOpenedAt } from './opened-path.js';
import { isInside, realPathOf } from './real-path.js';

export interface CopyRules {
  /** What is copied, for messages: "skill". */
  what: string;
  maxFiles: number;
  maxBytes: number;
  /** Makes the error that the copy ends with. */
  refuse: (message: string) => Error;
  /** Called with each path, to refuse more. */
  check?: (path: string) => void;
  /** Called with each link that leaves the folder. True: it is left out; else, or absent: it is refused. */
  leavesOut?: (path: string) => boolean;
}

const PIECE_BYTES = 256 * 1024;
const MB = 1024 * 1024;
/** Neither through a link nor waiting for a pipe, which may have replaced the file. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Leaves out `.git`. @param to does not exist yet; when this throws, the caller removes what was copied */
export function copyTree(from: string, to: string, rules: CopyRules): void {
  const root = realpathSync(from);
  const count = counter(from, rules);
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const copy = (source: string, target: string) => {
    mkdirSync(target);
    for (const name of readdirSync(source)) {
      if (name === '.git') continue;
      const [path, copied] = [join(source, name), join(target, name)];
      rules.check?.(path);
      count(0, 1);
      const stats = lstatSync(path);
      if (stats.isDirectory()) copy(path, copied);
      else if (stats.isSymbolicLink()) copyLink(path, copied, root, rules);
      else if (stats.isFile()) copyFile({ path, copied, piece, count, rules });
      else throw rules.refuse(`${path} is neither a file nor a folder. Remove it from the ${rules.what}.`);
    }
  };
  copy(root, to);
}

type Count = (bytes: number, files?: number) => void;

function counter(from: string, { what, maxFiles, maxBytes, refuse }: CopyRules): Count {
  const total = { bytes: 0, files: 0 };
  return (bytes, files = 0) => {
    total.bytes += bytes;
    total.files += files;
    if (total.files > maxFiles || total.bytes > maxBytes)
      throw refuse(`${from} is too large for a ${what}: over ${maxFiles} files or ${maxBytes / MB} MB.`);
  };
}

interface FileCopy {
  path: string;
  copied: string;
  piece: Buffer;
  count: Count;
  rules: CopyRules;
}

/** What is opened is copied: the source may change after every check. */
function copyFile({ path, copied, piece, count, rules }: FileCopy): void {
  const source = openUnchanged(path, rules);
  let target: number | undefined;
  try {
    const stats = fstatSync(source);
    if (!stats.isFile() || !isOpenedAt(source, path)) throw changedMeanwhile(path, rules);
    // The owner must be able to remove and update it.
    target = openSync(copied, 'wx', (stats.mode & 0o100) !== 0 ? 0o755 : 0o644);
    for (;;) {
      const size = readSync(source, piece);
      if (size === 0) return;
      count(size);
      for (let written = 0; written < size; ) written += writeSync(target, piece, written, size - written);
    }
  } finally {
    closeSync(source);
    if (target !== undefined) closeSync(target);
  }
}

function openUnchanged(path: string, rules: CopyRules): number {
  try {
    return openSync(path, READ_FLAGS);
  } catch (error) {
    if (codeOf(error) === 'ELOOP' || codeOf(error) === 'ENOENT') throw changedMeanwhile(path, rules);
    throw error;
  }
}

function changedMeanwhile(path: string, { refuse }: CopyRules): Error {
  return refuse(`${path} was changed while it was copied. Try again.`);
}

function copyLink(path: string, copied: string, root: string, { what, refuse, leavesOut }: CopyRules): void {
  const real = realPathOf(path);
  // Its own text may lead through folders outside, which the copy has not.
  if (isInside(real, root)) symlinkSync(relative(dirname(path), real) || '.', copied);
  else if (!leavesOut?.(path))
    throw refuse(`${path} is a link that leaves the ${what}. Replace it by a copy.`);
}
