/** `mcp-server-enablement.json`: servers that the user has disabled. A server that is not in it is enabled. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, objectOf } from '../../base/objects.js';
import { DamagedFileError, readPrivateFile, writePrivateFile } from '../../platform/files/private-file.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import { normalized } from './names.js';

export class ServerEnablement {
  private readonly path: string;

  constructor(globalDir: string) {
    this.path = join(globalDir, 'mcp-server-enablement.json');
  }

  /** Lower-case names. @throws when the file cannot be read */
  disabled(): Set<string> {
    const entries = Object.entries(this.read());
    return new Set(entries.filter(([, value]) => objectOf(value)['enabled'] === false).map(([name]) => name));
  }

  /** @throws when the file cannot be read or written */
  async set(name: string, enabled: boolean): Promise<void> {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    await withFileLock(this.path, () => {
      const { [normalized(name)]: _, ...others } = this.read();
      const next = enabled ? others : { ...others, [normalized(name)]: { enabled: false } };
      writePrivateFile(this.path, `${JSON.stringify(next, null, 2)}\n`);
    });
  }

  /** A damaged file could have disabled any server: none is then taken as enabled. */
  private read(): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(readPrivateFile(this.path) ?? '{}');
      if (isObject(value)) return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new DamagedFileError(this.path, `${this.path} is damaged. Correct or delete it.`);
  }
}
