/** Which plugin has written which file of the home folder, and names that a plugin cannot have there. */
import { join } from 'node:path';
import { entriesIn, tryLstat } from '../../../platform/files/try-read.js';
import { ConvertError } from '../convert-error.js';
import { HOME_MANIFEST, type HomeManifest, manifestPath, readHomeManifest } from './home-manifest.js';

/** Folders of `~/.gemini` that mean something to this program. */
const RESERVED = new Set(
  'agents commands extensions skills policies tmp history hooks memory plans sessions snapshots cache logs bin'.split(
    ' ',
  ),
);

/** @throws ConvertError when its folder would be one that belongs to something else */
export function requireOwnFolder(home: string, plugin: string): void {
  const folder = join(home, plugin);
  const stats = tryLstat(folder);
  const isForeign =
    stats !== undefined &&
    (!stats.isDirectory() ||
      (entriesIn(folder).length > 0 && !tryLstat(manifestPath(home, plugin)) && !isInterrupted(folder)));
  if (!RESERVED.has(plugin) && !isForeign) return;
  throw new ConvertError(`${folder} belongs to something else. Choose another name: --name my-${plugin}`);
}

/** A killed import leaves its support files or backups without a manifest. */
function isInterrupted(folder: string): boolean {
  return entriesIn(folder).every(({ name }) => /^(?:files|legacy-backup|\.gemini-write-.*)$/.test(name));
}

/** @returns for a path or `mcpServers/<name>` the other plugin that has it */
export function otherOwners(home: string, plugin: string): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const entry of entriesIn(home)) {
    if (entry.name === plugin || !entry.isDirectory()) continue;
    if (!tryLstat(join(home, entry.name, HOME_MANIFEST))) continue;
    const { manifest } = readHomeManifest(home, entry.name);
    if (manifest) for (const path of ownedPaths(manifest)) owners.set(path, entry.name);
  }
  return owners;
}

function ownedPaths({ groups, hashes }: HomeManifest): string[] {
  return [
    ...Object.keys(hashes),
    ...groups.skills.map((name) => `skills/${name}`),
    ...groups.agents.map((path) => `agents/${path}`),
    ...groups.commands.map((path) => `commands/${path}`),
    ...groups.mcpServers.map((name) => `mcpServers/${name}`),
  ];
}
