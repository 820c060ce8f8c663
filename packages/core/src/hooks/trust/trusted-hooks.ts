/** Remembers per project which hooks the user has been told about (`trusted_hooks.json`). */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../base/objects.js';
import { readPrivateFile, writePrivateFile } from '../../platform/files/private-file.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import { createLog } from '../../platform/log.js';
import { type HookRegistryEntry, hookIdentity } from '../registry.js';
import { ConfigSource } from '../types.js';

const log = createLog('hooks');

type Store = Record<string, string[]>;

export class TrustedHooks {
  /** Told in this process, even if the file cannot be written. */
  private readonly told = new Set<string>();

  /** @param projectRoot real path */
  constructor(
    private readonly file: string,
    private readonly projectRoot: string,
  ) {}

  static in(globalDir: string, projectRoot: string): TrustedHooks {
    return new TrustedHooks(join(globalDir, 'trusted_hooks.json'), projectRoot);
  }

  /** The enabled project hooks that are not recorded yet; from now on they are. */
  async takeNew(entries: readonly HookRegistryEntry[]): Promise<HookRegistryEntry[]> {
    const unseen = entries.filter(
      ({ source, enabled, config }) =>
        source === ConfigSource.Project && enabled && !this.told.has(hookIdentity(config)),
    );
    if (unseen.length === 0) return [];
    for (const { config } of unseen) this.told.add(hookIdentity(config));
    const known = new Set(this.read()?.[this.projectRoot]);
    const added = distinct(unseen.filter(({ config }) => !known.has(hookIdentity(config))));
    if (added.length > 0) await this.record(added.map(({ config }) => hookIdentity(config)));
    return added;
  }

  private async record(identities: readonly string[]): Promise<void> {
    try {
      mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
      await withFileLock(this.file, () => {
        const store = this.read();
        // A damaged file may hold the records of other projects: the user is told again instead.
        if (!store) return;
        const recorded = new Set([...(store[this.projectRoot] ?? []), ...identities]);
        writePrivateFile(
          this.file,
          `${JSON.stringify({ ...store, [this.projectRoot]: [...recorded] }, null, 2)}\n`,
        );
      });
    } catch (error) {
      log.error('The hooks the user was told about could not be recorded.', error);
    }
  }

  /** Undefined: the file is damaged. */
  private read(): Store | undefined {
    let value: unknown;
    try {
      value = JSON.parse(readPrivateFile(this.file) ?? '{}');
    } catch (error) {
      log.warn('trusted_hooks.json cannot be read', error);
      return undefined;
    }
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value).map(([root, list]) => [
      root,
      Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [],
    ]);
    return Object.fromEntries(entries);
  }
}

function distinct(entries: readonly HookRegistryEntry[]): HookRegistryEntry[] {
  const byIdentity = new Map(entries.map((entry) => [hookIdentity(entry.config), entry]));
  return [...byIdentity.values()];
}
