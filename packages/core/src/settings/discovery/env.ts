/** Lists `.env` files and the names of their variables, never the values. */
import { isRefusedFromProject, redirectedBy } from '../env/env-names.js';
import { parseEnv } from '../env/env-parse.js';
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';
import type { FolderReader } from './folder-reader.js';

export function discoverEnvFiles({ folder, above }: DiscoveryContext): string[] {
  return [folder, ...above].flatMap((reader) =>
    ['.gemini/.env', '.env'].flatMap((path) => (reader.hasEntry(path) ? fileAt(reader, path) : [])),
  );
}

function fileAt(reader: FolderReader, path: string): string[] {
  const text = reader.text(path);
  if (text === undefined) return [];
  const names = [...parseEnv(text).variables.keys()];
  for (const name of names) warnAbout(reader, path, name);
  return [cleanLabel(`${reader.name(path)}: ${names.join(', ') || '(empty)'}`)];
}

function warnAbout(reader: FolderReader, path: string, name: string): void {
  if (isRefusedFromProject(name)) {
    reader.warn(`${reader.name(path)} tries to set ${name}, which a project may not; it will be ignored.`);
    return;
  }
  const changed = redirectedBy(name);
  if (changed) reader.warn(`${reader.name(path)} sets ${name}: it changes ${changed}.`);
}
