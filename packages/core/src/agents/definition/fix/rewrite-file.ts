/** Writes a fixed agent file and keeps the original beside it. */
import { existsSync } from 'node:fs';
import { replaceFile } from '../../../platform/files/atomic-write.js';
import { FileError } from '../../../platform/files/file-error.js';
import { readFileBytes } from '../../../platform/files/safe-read.js';

/**
 * @param text the fixed text of the file, made from `original`
 * @returns the path of the copy
 * @throws FileError when the file has changed since, or cannot be written
 */
export function rewriteAgentFile(file: string, original: string, text: string): string {
  const { bytes, version, realPath } = readFileBytes(file);
  if (bytes.toString('utf8') !== original)
    throw new FileError('changed', `${file} has changed meanwhile. Try again.`);
  const backup = freeName(`${realPath}.bak`);
  replaceFile(backup, bytes, { expect: 'absent' });
  replaceFile(file, Buffer.from(text), { expect: version });
  return backup;
}

function freeName(path: string): string {
  let name = path;
  for (let count = 2; existsSync(name); count++) name = `${path}.${count}`;
  return name;
}
