/** `gemini extensions import --remove`: takes back an import into the home folder. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { tryReadText } from '../../../platform/files/try-read.js';
import { ConvertError } from '../convert-error.js';
import { extensionName } from '../names.js';
import type { ReportRow } from '../types.js';
import { handOver } from './hand-over.js';
import { Backup, removeIfEmpty, removeTemporary, timestamp } from './home-files.js';
import { withHomeLock } from './home-lock.js';
import { HOME_MANIFEST, manifestPath, readHomeManifest } from './home-manifest.js';
import { readServers, removeServers } from './home-settings.js';
import { removeRecorded } from './remove-recorded.js';

/** @throws ConvertError when there is no such import */
export async function removeHome(
  home: string,
  written: string,
  now: Date,
): Promise<{ name: string; removed: number; rows: ReportRow[] }> {
  const name = extensionName(written);
  const { manifest, problem } = name === '' ? {} : readHomeManifest(home, name);
  if (!manifest)
    throw new ConvertError(
      problem ?? `No plugin "${written.slice(0, 60)}" was imported into ${home}. Nothing was changed.`,
    );
  readServers(home);
  return withHomeLock(home, async () => {
    const time = timestamp(now);
    const backup = new Backup(home, name, time);
    const paths = Object.keys(manifest.hashes);
    removeTemporary(home, [...paths, `${name}/${HOME_MANIFEST}`]);
    const { rows, removed } = removeRecorded(home, manifest, paths, backup, () => false);
    const text = tryReadText(join(home, 'settings.json')) ?? '';
    const changed = await removeServers(home, manifest.groups.mcpServers, manifest.settings, time);
    rmSync(manifestPath(home, name), { force: true });
    handOver(home, manifest.settings, text, changed);
    for (const folder of ['files', '']) removeIfEmpty(join(home, name, folder));
    for (const folder of ['skills', 'agents', 'commands']) removeIfEmpty(join(home, folder));
    return { name, removed: removed + manifest.groups.mcpServers.length, rows };
  });
}
