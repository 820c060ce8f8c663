/**
 * Empty placeholders for protected paths that do not exist, because a mount point must exist. They are recorded in
 * a ledger before they are created, shared by all sandboxes that need them, and removed by the last one. The next
 * process removes what a killed one left behind.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../../base/errors.js';
import { preparePrivateDirectory } from '../../files/private-file.js';
import { tryLstat } from '../../files/try-read.js';
import { withFileLock } from '../../locks/file-lock.js';
import { startTimeOf } from '../../process/proc-stat.js';
import { randomHex } from '../../random.js';
import type { FileView } from './file-view.js';

export interface Placeholder {
  path: string;
  /** Content of the file; null for a directory. */
  content: string | null;
}

export interface PlaceholderHold {
  release(): Promise<void>;
}

interface Entry extends Placeholder {
  /** Device and inode; absent until the placeholder has been created. */
  identity?: string;
}

interface Ledger {
  owner: string;
  entries: Entry[];
}

export class PlaceholderStore {
  private isSwept = false;
  private queue: Promise<unknown> = Promise.resolve();

  /** @param directory of the ledgers, shared by all processes of this user */
  constructor(private readonly directory: string) {}

  /** Ignores existing paths, unless they are placeholders of another sandbox. */
  hold(wanted: readonly Placeholder[]): Promise<PlaceholderHold> {
    return this.exclusively(() => {
      this.sweep();
      const file = join(this.directory, `${randomHex(8)}.json`);
      const known = this.ledgers().flatMap(({ ledger }) => ledger.entries);
      const entries = wanted.flatMap((item): Entry[] => {
        const stats = tryLstat(item.path);
        if (!stats) return [{ ...item }];
        const same = known.find(({ path, identity }) => path === item.path && identity === identityOf(stats));
        return same ? [same] : [];
      });
      if (entries.length === 0) return { release: async () => {} };
      this.write(file, entries);
      const standing = entries.filter((entry) => entry.identity !== undefined || create(entry));
      this.write(file, standing);
      return { release: () => this.exclusively(() => this.drop(file, standing)) };
    });
  }

  /** For protected paths. A path that we cannot create, the command cannot create either, so it needs no mount. */
  async holdProtected({
    protected: paths,
    plan,
  }: Pick<FileView, 'protected' | 'plan'>): Promise<PlaceholderHold> {
    const guarded = paths.flatMap(({ path, placeholder }) =>
      placeholder === undefined ? [] : [{ path, content: placeholder }],
    );
    if (guarded.length === 0 && this.isSwept) return { release: async () => {} };
    const hold = await this.hold(guarded);
    for (const { path } of guarded) if (!existsSync(path)) plan.remove(path);
    return hold;
  }

  /** Once per process, removes what killed processes left behind. */
  private sweep(): void {
    if (this.isSwept) return;
    this.isSwept = true;
    for (const { file, ledger } of this.ledgers()) {
      if (!isAlive(ledger.owner)) this.drop(file, ledger.entries);
    }
  }

  /** Keeps placeholders that another sandbox uses, because they protect its paths. */
  private drop(file: string, entries: readonly Entry[]): void {
    rmSync(file, { force: true });
    const inUse = new Set(
      this.ledgers()
        .filter(({ ledger }) => isAlive(ledger.owner))
        .flatMap(({ ledger }) => ledger.entries.map(({ path }) => path)),
    );
    for (const entry of entries) {
      if (!inUse.has(entry.path)) remove(entry);
    }
  }

  private ledgers(): { file: string; ledger: Ledger }[] {
    return readdirSync(this.directory)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => {
        const file = join(this.directory, name);
        const ledger = parseLedger(file);
        return ledger ? [{ file, ledger }] : [];
      });
  }

  private write(file: string, entries: readonly Entry[]): void {
    writeFileSync(file, JSON.stringify({ owner: identityOfProcess(process.pid), entries }), { mode: 0o600 });
  }

  /** One at a time, within this process and across processes. */
  private exclusively<T>(work: () => T): Promise<T> {
    const turn = this.queue.then(() => {
      preparePrivateDirectory(this.directory);
      return withFileLock(join(this.directory, 'ledger'), work);
    });
    this.queue = turn.catch(() => undefined);
    return turn;
  }
}

function create(entry: Entry): boolean {
  try {
    if (entry.content === null) mkdirSync(entry.path);
    else writeFileSync(entry.path, entry.content, { flag: 'wx' });
    entry.identity = identityOf(lstatSync(entry.path));
    return true;
  } catch {
    return false;
  }
}

/** Removes the placeholder if it is still as we created it. */
function remove({ path, content, identity }: Entry): void {
  try {
    const stats = tryLstat(path);
    if (!stats || (identity !== undefined && identity !== identityOf(stats))) return;
    if (content === null) {
      if (stats.isDirectory()) rmdirSync(path);
    } else if (stats.isFile() && readFileSync(path, 'utf8') === content) {
      unlinkSync(path);
    }
  } catch (error) {
    // The folder is no longer empty, so it belongs to the user.
    const code = codeOf(error);
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EACCES' && code !== 'EBUSY') throw error;
  }
}

function parseLedger(file: string): Ledger | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isLedger(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLedger(value: unknown): value is Ledger {
  if (typeof value !== 'object' || value === null) return false;
  const { owner, entries } = value as Partial<Ledger>;
  return typeof owner === 'string' && Array.isArray(entries) && entries.every(isEntry);
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { path, content } = value as Partial<Entry>;
  return typeof path === 'string' && (content === null || typeof content === 'string');
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

/** Process id and start time, because ids are reused. */
function identityOfProcess(pid: number): string {
  return `${pid}:${startTimeOf(pid) ?? 'gone'}`;
}

function isAlive(owner: string): boolean {
  const pid = Number(owner.split(':')[0]);
  return Number.isInteger(pid) && pid > 0 && identityOfProcess(pid) === owner;
}
