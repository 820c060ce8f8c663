/**
 * One change of the installed extensions. Everything is prepared in a folder of its own, `extensions/.staging/<id>/`, and
 * comes into effect by one rename; what was there before waits in the same folder until the change is complete. A journal
 * tells the next run what a killed process was about to do: afterwards there is the old extension or the new one.
 */
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { tryLstat } from '../../platform/files/try-read.js';
import { tryLock } from '../../platform/locks/lock-file.js';
import { isOwnerGone, lockSignature } from '../../platform/locks/lock-owner.js';
import { randomHex } from '../../platform/random.js';
import { type IntegrityEntry, readEntry } from '../integrity/integrity-entry.js';
import { ExtensionInstallError } from './error.js';

export const STAGING = '.staging';
const OWNER = 'owner';
const JOURNAL = 'journal.json';
const LOCK_WAIT_MS = 60_000;
/** Age at which a lock of another machine counts as left behind. */
const UNSEEN_MS = 10 * 60_000;

/** What is kept about an extension outside its folder. */
export interface RecordedExtension {
  name: string;
  id: string;
  /** Variables whose values are in the keychain. */
  secrets: readonly string[];
  /** Folders for which there are values of their own. */
  workspaces?: readonly string[];
}

/** What a change is about to do, for the case that its process is killed. */
export interface Journal {
  /** Folder that will be there afterwards; absent: an uninstallation. */
  target?: string;
  /** Folder that is replaced or removed. */
  replaced?: string;
  /** Whose records this change adds: removed again if it does not come into effect. */
  added?: RecordedExtension;
  /** Whose secrets, and if no extension has the name any more which records, are removed once it is in effect. */
  removed?: RecordedExtension;
  /** The signed record of the new metadata. */
  integrity?: IntegrityEntry;
}

export class InstallTransaction {
  private journal: Journal | undefined;

  private constructor(
    private readonly root: string,
    readonly dir: string,
  ) {}

  /** @param root `~/.gemini/extensions` */
  static open(root: string): InstallTransaction {
    for (let attempt = 0; ; attempt++) {
      const dir = join(root, STAGING, randomHex(8));
      try {
        mkdirSync(join(root, STAGING), { recursive: true, mode: 0o700 });
        mkdirSync(dir, { mode: 0o700 });
        writeFileSync(join(dir, OWNER), lockSignature(), { mode: 0o600 });
        return new InstallTransaction(root, dir);
      } catch (error) {
        rmSync(dir, { recursive: true, force: true });
        removeIfEmpty(join(root, STAGING));
        removeIfEmpty(root);
        // Another process has just removed the empty folder.
        if (codeOf(error) !== 'ENOENT' || attempt >= 5) throw error;
      }
    }
  }

  /** Where the new folder is prepared. */
  get staged(): string {
    return join(this.dir, 'new');
  }

  get old(): string {
    return join(this.dir, 'old');
  }

  /** Where the source is fetched to. */
  get fetched(): string {
    return join(this.dir, 'source');
  }

  write(journal: Journal): void {
    this.journal = journal;
    writeFileSync(join(this.dir, JOURNAL), JSON.stringify(journal), { mode: 0o600, flush: true });
  }

  /** Puts the prepared folder in place. */
  swap({ target, replaced }: Pick<Journal, 'target' | 'replaced'>): void {
    if (replaced !== undefined) renameSync(join(this.root, replaced), this.old);
    if (target === undefined) return;
    try {
      renameSync(this.staged, join(this.root, target));
    } catch (error) {
      if (replaced !== undefined) renameSync(this.old, join(this.root, replaced));
      throw error;
    }
  }

  /** Undoes `swap`. */
  restore({ target, replaced }: Pick<Journal, 'target' | 'replaced'>): void {
    if (target !== undefined && tryLstat(join(this.root, target)) && !tryLstat(this.staged))
      renameSync(join(this.root, target), this.staged);
    if (replaced !== undefined && tryLstat(this.old)) renameSync(this.old, join(this.root, replaced));
  }

  close(): void {
    // The only copy of the extension, since it could not be put back: the next run tries again.
    if (tryLstat(this.old) && this.isMissing()) return;
    discard(this.dir);
    removeIfEmpty(join(this.root, STAGING));
    removeIfEmpty(this.root);
  }

  private isMissing(): boolean {
    const { target, replaced } = this.journal ?? {};
    if (target === undefined) return false;
    return ![target, replaced].some((folder) => folder !== undefined && tryLstat(join(this.root, folder)));
  }
}

/** The journal first: without the folder beside it, it would tell of a change that is in effect. */
export function discard(dir: string): void {
  rmSync(join(dir, JOURNAL), { force: true });
  rmSync(dir, { recursive: true, force: true });
}

/** Whether an extension with the name that this change adds is in place. */
export function isNameInPlace(root: string, { target, replaced, added, removed }: Journal): boolean {
  const isThere = (folder?: string) => folder !== undefined && tryLstat(join(root, folder)) !== undefined;
  return isThere(target) || (added?.name === removed?.name && isThere(replaced));
}

/** One process at a time changes the installed extensions; the user is never asked meanwhile. */
export async function withInstallLock<T>(root: string, work: () => Promise<T>): Promise<T> {
  const path = join(root, STAGING, 'lock');
  const deadline = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    const lock = tryLock(path, lockSignature(), (found) => isOwnerGone(found, UNSEEN_MS));
    if (lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (Date.now() >= deadline)
      throw new ExtensionInstallError(
        `Another process is installing: ${path} exists. If none is running, delete that file.`,
      );
    await wait(20 + Math.random() * 30);
  }
}

/** What a killed process has left: its folder and, if it got that far, its journal. */
export interface LeftTransaction {
  dir: string;
  journal?: Journal;
}

/** Of processes that run no more. */
export function leftTransactions(root: string, names: readonly string[]): LeftTransaction[] {
  return names
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => join(root, STAGING, name))
    .filter((dir) => isLeft(dir))
    .map((dir) => {
      const journal = readJournal(dir);
      return { dir, ...(journal && { journal }) };
    });
}

function isLeft(dir: string): boolean {
  const stats = tryLstat(join(dir, OWNER)) ?? tryLstat(dir);
  if (!stats) return false;
  let content = '';
  try {
    content = readFileSync(join(dir, OWNER), 'utf8');
  } catch {
    // Killed before it was written.
  }
  return isOwnerGone({ content, mtimeMs: stats.mtimeMs }, UNSEEN_MS);
}

function readJournal(dir: string): Journal | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dir, JOURNAL), 'utf8'));
    if (!isObject(value)) return undefined;
    const { target, replaced } = value;
    const [added, removed] = [recordedIn(value['added']), recordedIn(value['removed'])];
    const integrity = readEntry(value['integrity']);
    return {
      ...(isFolderName(target) && { target }),
      ...(isFolderName(replaced) && { replaced }),
      ...(added && { added }),
      ...(removed && { removed }),
      ...(integrity && { integrity }),
    };
  } catch {
    return undefined;
  }
}

function recordedIn(value: unknown): RecordedExtension | undefined {
  if (!isObject(value)) return undefined;
  const { name, id, secrets, workspaces } = value;
  if (typeof name !== 'string' || typeof id !== 'string') return undefined;
  return { name, id, secrets: textsIn(secrets), workspaces: textsIn(workspaces) };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function isFolderName(value: unknown): value is string {
  return typeof value === 'string' && !/^\.|[\\/\0]|^$/.test(value);
}

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir);
  } catch {
    // Others use it.
  }
}
