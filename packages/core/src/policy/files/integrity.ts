/** Remembers by digest which policy files of a project the user has accepted. */
import { mkdirSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { objectOf } from '../../base/objects.js';
import { readPrivateFile, writePrivateFile } from '../../platform/files/private-file.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import type { PolicyFile } from './toml-loader.js';

export type IntegrityState = 'accepted' | 'new' | 'changed';

/** Covers names and contents, so a moved or renamed file counts as a change. */
export function digestOf(files: readonly PolicyFile[], root: string): string {
  // Only the policies of a project need it, not those of the user and of extensions.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const { path, text } of files) {
    const name = relative(root, path);
    hash.update(`${name.length}:${name}${text.length}:${text}`);
  }
  return hash.digest('hex');
}

export function integrityOf(store: string, workspace: string, digest: string): IntegrityState {
  const known = readStore(store)[keyOf(workspace)];
  if (known === undefined) return 'new';
  return known === digest ? 'accepted' : 'changed';
}

export async function acceptIntegrity(store: string, workspace: string, digest: string): Promise<void> {
  mkdirSync(dirname(store), { recursive: true, mode: 0o700 });
  await withFileLock(store, () => {
    const entries = { ...readStore(store), [keyOf(workspace)]: digest };
    writePrivateFile(store, `${JSON.stringify(entries, null, 2)}\n`);
  });
}

function keyOf(workspace: string): string {
  return `workspace:${workspace}`;
}

/** An unreadable store counts as empty, so every project is new. */
function readStore(path: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(readPrivateFile(path) ?? '{}');
    return Object.fromEntries(
      Object.entries(objectOf(value)).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
  } catch {
    return {};
  }
}
