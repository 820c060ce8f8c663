/** Appends a fact to a context file, never through a link, whose target may not be a context file. */
import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { replaceFile } from '../platform/files/atomic-write.js';
import { FileError } from '../platform/files/file-error.js';
import { realPathOf } from '../platform/files/real-path.js';
import { readFileBytes } from '../platform/files/safe-read.js';
import { decodeText, encodeText, UTF8 } from '../platform/files/text-encoding.js';
import { factLine, withFact } from './save-fact.js';

/** @throws FileError when `path` is a link */
export function requireNoLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new FileError('refused', `${path} is a link to ${realPathOf(path)}; nothing is written through it.`);
}

/** Allows only this file in its own folder. */
export function onlyItself(path: string): (realPath: string) => string | null {
  const place = join(realPathOf(dirname(path)), basename(path));
  return (real) => (real === place ? null : `${path} leads to ${real}; nothing is written there.`);
}

/** @throws FileError, with nothing written */
export async function addFact(path: string, fact: string): Promise<void> {
  const line = factLine(fact);
  if (line === '') throw new FileError('refused', 'There is nothing to remember: the text is empty.');
  requireNoLink(path);
  const current = readIfThere(path);
  const decoded = current && (await decodeText(current.bytes));
  if (current && !decoded) throw new FileError('binary', `${path} is not text.`);
  const next = withFact(decoded?.text ?? '', line);
  replaceFile(path, await encodeText(next, decoded?.format ?? UTF8), {
    authorize: onlyItself(path),
    expect: current?.version ?? 'absent',
  });
}

function readIfThere(path: string) {
  try {
    return readFileBytes(path, { authorize: onlyItself(path) });
  } catch (error) {
    if (error instanceof FileError && error.problem === 'missing') return undefined;
    throw error;
  }
}
