/**
 * A signed record of where each extension came from, `extension_integrity.json`: a program that changes the install
 * metadata cannot make the next update fetch from elsewhere.
 */
import { join } from 'node:path';
import { isObject } from '../../base/objects.js';
import type { Variables } from '../../platform/environment.js';
import {
  DamagedFileError,
  preparePrivateDirectory,
  readPrivateFile,
  removePrivateFile,
  writePrivateFile,
} from '../../platform/files/private-file.js';
import { removeTemporaries } from '../../platform/files/remove-temporaries.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import type { ExtensionInstallMetadata } from '../types.js';
import { canonicalJson } from './canonical-json.js';
import { hmac, type IntegrityEntry, readEntry, signed } from './integrity-entry.js';
import { IntegrityKey } from './integrity-key.js';

export type IntegrityState = 'verified' | 'missing' | 'invalid';

type Entries = Readonly<Record<string, IntegrityEntry>>;

export class IntegrityStore {
  private readonly file: string;
  private readonly key: IntegrityKey;

  constructor(private readonly places: { globalDir: string; variables: Variables }) {
    this.file = join(places.globalDir, 'extension_integrity.json');
    this.key = new IntegrityKey(places);
  }

  /** @throws DamagedFileError when the store as a whole is broken */
  async verify(name: string, metadata: ExtensionInstallMetadata): Promise<IntegrityState> {
    const key = await this.key.read();
    const entries = await this.read(key);
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (!entry || key === undefined) return 'missing';
    const expected = await signed(metadata, key);
    const isSame =
      (await same(entry.hash, expected.hash)) && (await same(entry.signature, expected.signature));
    return isSame ? 'verified' : 'invalid';
  }

  /** @throws DamagedFileError when the store as a whole is broken */
  async record(name: string, metadata: ExtensionInstallMetadata): Promise<void> {
    await this.change(async (entries, key) => ({ ...entries, [name]: await signed(metadata, key) }));
  }

  /** For a change that is about to happen: `recordSigned` takes it when the change is in effect. */
  async sign(metadata: ExtensionInstallMetadata): Promise<IntegrityEntry> {
    preparePrivateDirectory(this.places.globalDir);
    return withFileLock(this.file, async () => signed(metadata, await this.key.readOrCreate()));
  }

  /** An entry that we have not signed is ignored: then the extension counts as not recorded. */
  async recordSigned(name: string, entry: IntegrityEntry): Promise<void> {
    await this.change(async ({ [name]: _replaced, ...others }, key) =>
      (await same(entry.signature, await hmac(entry.hash, key))) ? { ...others, [name]: entry } : others,
    );
  }

  /** With the last record file and key are removed: no signature needs them any more. */
  async remove(name: string): Promise<void> {
    const isEmpty = await this.locked(async () => {
      if (readPrivateFile(this.file) !== undefined) return false;
      await this.key.remove();
      return true;
    });
    if (!isEmpty) await this.change(async ({ [name]: _removed, ...others }) => others);
  }

  private async change(edit: (entries: Entries, key: string) => Promise<Entries>): Promise<void> {
    await this.locked(async () => {
      const key = await this.key.readOrCreate();
      const store = await edit(await this.read(key), key);
      if (Object.keys(store).length === 0) {
        removePrivateFile(this.file);
        await this.key.remove();
        return;
      }
      const signature = await hmac(canonicalJson(store), key);
      writePrivateFile(this.file, `${JSON.stringify({ store, signature }, null, 2)}\n`);
    });
  }

  private locked<T>(work: () => Promise<T>): Promise<T> {
    preparePrivateDirectory(this.places.globalDir);
    return withFileLock(this.file, () => {
      // Only the holder of the lock writes: a killed process has left them.
      removeTemporaries(this.file);
      return work();
    });
  }

  private async read(key: string | undefined): Promise<Entries> {
    const text = readPrivateFile(this.file);
    if (text === undefined) return {};
    const stored = entriesIn(text);
    if (
      stored &&
      key !== undefined &&
      (await same(stored.signature, await hmac(canonicalJson(stored.store), key)))
    )
      return stored.store;
    throw new DamagedFileError(
      this.file,
      `${this.file} is damaged, or was changed by another program. Delete it to accept the installed extensions as they are.`,
    );
  }
}

function entriesIn(text: string): { store: Entries; signature: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isObject(value['store']) || typeof value['signature'] !== 'string')
      return undefined;
    const entries = Object.entries(value['store']).map(([name, entry]) => [name, readEntry(entry)] as const);
    const valid = entries.flatMap(([name, entry]) => (entry ? [[name, entry] as const] : []));
    if (valid.length < entries.length) return undefined;
    return { store: Object.fromEntries(valid), signature: value['signature'] };
  } catch {
    return undefined;
  }
}

async function same(a: string, b: string): Promise<boolean> {
  const { timingSafeEqual } = await import('node:crypto');
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
