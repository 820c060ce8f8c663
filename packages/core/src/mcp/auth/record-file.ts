/** A file of records that only its owner may read: a JSON array. Records of other programs and their fields stay. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '../../base/objects.js';
import { readPrivateFile, setAside, writePrivateFile } from '../../platform/files/private-file.js';
import { withFileLock } from '../../platform/locks/file-lock.js';

export type StoredRecord = Record<string, unknown>;

export class RecordFile {
  constructor(private readonly path: string) {}

  /** A damaged file has none. */
  all(): StoredRecord[] {
    return recordsIn(readPrivateFile(this.path)) ?? [];
  }

  /** @param change returns the records to be written, or undefined: none changed */
  async update(change: (records: StoredRecord[]) => StoredRecord[] | undefined): Promise<void> {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    await withFileLock(this.path, () => {
      const text = readPrivateFile(this.path);
      const records = recordsIn(text);
      const changed = change(records ?? []);
      if (!changed) return;
      if (text !== undefined && !records) setAside(this.path);
      writePrivateFile(this.path, `${JSON.stringify(changed, null, 2)}\n`);
    });
  }
}

/** Undefined: not such a file. */
function recordsIn(text: string | undefined): StoredRecord[] | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isObject) : undefined;
  } catch {
    return undefined;
  }
}
