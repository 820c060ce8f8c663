/** Changes rules in `trustedFolders.json`, keeping comments and order. Loaded on first use. */
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { replaceFile } from '../../platform/files/atomic-write.js';
import { FileError } from '../../platform/files/file-error.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import { editText } from '../writing/edit-text.js';
import {
  readTrustedFolders,
  requireNoFatalProblems,
  type TrustedFoldersFile,
  type TrustRule,
} from './trusted-folders-file.js';

/** Attempts when another program, such as an editor, writes without the lock. */
const ATTEMPTS = 3;
const PRIVATE = 0o600;

/**
 * Adds `rule` and removes rules that contradict it, based on the current file. Refuses to change a file with an error.
 */
export async function saveTrustRule(
  path: string,
  rule: TrustRule,
  isReplaced: (old: TrustRule) => boolean,
): Promise<TrustedFoldersFile> {
  const target = realPathOf(path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  return withFileLock(target, () => {
    createIfMissing(target);
    for (let attempt = 1; ; attempt++) {
      const file = readTrustedFolders(target);
      requireNoFatalProblems(path, file.problems);
      const text = withRule(file, rule, isReplaced);
      try {
        replaceFile(target, Buffer.from(text), { expect: file.version });
        closeToOthers(target);
        return readTrustedFolders(target);
      } catch (error) {
        const isChanged = error instanceof FileError && error.problem === 'changed';
        if (!isChanged || attempt === ATTEMPTS) throw error;
      }
    }
  });
}

function withRule(
  { text, rules }: TrustedFoldersFile,
  rule: TrustRule,
  isReplaced: (old: TrustRule) => boolean,
): string {
  const replaced = rules.filter((old) => old.path !== rule.path && isReplaced(old));
  const without = replaced.reduce((rest, { path }) => editText(rest, [path], undefined), text);
  return editText(without, [rule.path], rule.level);
}

/** A new file is created with access for the user only. */
function createIfMissing(target: string): void {
  try {
    writeFileSync(target, '{}\n', { flag: 'wx', mode: PRIVATE });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Removes other users' access: the file decides what may run. */
function closeToOthers(target: string): void {
  const isOpen = process.platform !== 'win32' && (statSync(target).mode & 0o777) !== PRIVATE;
  if (isOpen) chmodSync(target, PRIVATE);
}
