/** Saves one setting: reads the file again, edits the text, replaces the file. Other programs may write concurrently. */
import { constants, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, codeOf } from '../../base/errors.js';
import { JsoncError } from '../../base/jsonc.js';
import { replaceFile } from '../../platform/files/atomic-write.js';
import { FileError, toFileError } from '../../platform/files/file-error.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import type { KeyPath } from '../key-path.js';
import { migrate } from '../reading/migrate.js';
import { parseSettings } from '../reading/parse.js';
import { readSettingsText, type SettingsText } from '../reading/read-file.js';
import { applyMoves, editText } from './edit-text.js';

export interface SettingEdit {
  keys: KeyPath;
  /** Undefined removes the key. */
  value: unknown;
  /** Only the user may read the file: it may contain tokens. */
  isPrivate: boolean;
}

/** Attempts when another program, such as an editor, writes without the lock. */
const ATTEMPTS = 5;

export async function saveSetting(path: string, edit: SettingEdit): Promise<void> {
  try {
    const target = realPathOf(path);
    mkdirSync(dirname(target), { recursive: true, ...(edit.isPrivate ? { mode: 0o700 } : {}) });
    await withFileLock(target, () => retryWhenChanged(() => rewrite(target, edit)));
  } catch (error) {
    throw error instanceof AppError ? error : toFileError(error, path);
  }
}

function retryWhenChanged(work: () => void): void {
  for (let attempt = 1; ; attempt++) {
    try {
      work();
      return;
    } catch (error) {
      const isChanged = error instanceof FileError && error.problem === 'changed';
      if (!isChanged || attempt === ATTEMPTS) throw error;
    }
  }
}

function rewrite(target: string, edit: SettingEdit): void {
  const file = readOrCreate(target, edit.isPrivate);
  if (file.failure !== undefined) throw new FileError('io', `${target}: ${file.failure}`);
  if (!file.isUtf8) throw new FileError('unencodable', `${target} is not UTF-8; save it as UTF-8 first.`);
  const migrated = withCurrentNames(file, target);
  const text = editText(migrated, edit.keys, edit.value);
  // Checked before writing: the next start must be able to read the file.
  parseSettings(text);
  if (text === file.text) return;
  replaceFile(target, Buffer.from(file.hasMark ? `\ufeff${text}` : text), { expect: file.version });
}

/** A new file gets its mode at creation; if two processes create it, one wins. */
function readOrCreate(target: string, isPrivate: boolean): SettingsText {
  const file = readSettingsText(target);
  if (file.exists) return file;
  try {
    writeFileSync(target, '{}\n', { flag: 'wx', mode: isPrivate ? 0o600 : 0o666 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return readSettingsText(target);
}

function withCurrentNames(file: SettingsText, target: string): string {
  const { moves } = migrate(readable(file, target));
  if (moves.length === 0) return file.text;
  try {
    copyFileSync(target, `${target}.orig`, constants.COPYFILE_EXCL);
  } catch (error) {
    // An existing backup is kept.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return applyMoves(file.text, moves);
}

function readable({ text }: SettingsText, target: string): Record<string, unknown> {
  try {
    return parseSettings(text).root;
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    const place = `line ${error.line}, column ${error.column}`;
    throw new FileError('io', `${target} has a mistake: ${error.message} (${place}). Correct it first.`);
  }
}
