/** Writes one file of a result into a folder that no other process uses. */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ConvertError } from '../convert-error.js';
import type { OutputFile } from '../types.js';

/** @param path relative, with `/` */
export function putFile(root: string, path: string, file: OutputFile): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  if ('linkTo' in file) {
    symlinkSync(file.linkTo, target);
    return;
  }
  writeFileSync(target, contentOf(file), { flag: 'wx' });
  chmodSync(target, file.isExecutable ? 0o755 : 0o644);
}

/** Not through a link that took the place of the file meanwhile, and without waiting for a FIFO. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @throws ConvertError when the source is no longer a regular file */
export function contentOf(file: Exclude<OutputFile, { linkTo: string }>): Buffer {
  if ('bytes' in file) return file.bytes;
  const descriptor = openSync(file.copyOf, FLAGS);
  try {
    if (!fstatSync(descriptor).isFile())
      throw new ConvertError(`${file.copyOf} has changed meanwhile. Try again.`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
