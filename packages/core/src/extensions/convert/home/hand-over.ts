/** A plugin is removed while another one that was imported later stays: that one restores settings.json in the end. */
import { dirname, join } from 'node:path';
import { replaceFile } from '../../../platform/files/atomic-write.js';
import { realPathOf } from '../../../platform/files/real-path.js';
import { entriesIn, tryReadText } from '../../../platform/files/try-read.js';
import { sha256 } from './home-files.js';
import { type HomeManifest, manifestPath, readHomeManifest, type SettingsRecord } from './home-manifest.js';

/**
 * Only between two plugins: with a third one a copy of the file has servers of both.
 * @param removed what the removed plugin has recorded
 * @param before the text of settings.json before its servers were removed
 * @param now what that removal has recorded
 */
export function handOver(
  home: string,
  removed: SettingsRecord | undefined,
  before: string,
  now: SettingsRecord | undefined,
): void {
  if (!removed || !now) return;
  const others = entriesIn(home).flatMap(({ name }): HomeManifest[] => {
    const { manifest } = readHomeManifest(home, name);
    return manifest?.settings ? [manifest] : [];
  });
  const [next] = others;
  if (!next?.settings || others.length > 1 || next.settings.hash !== sha256(before)) return;
  const [first] = next.settings.backups;
  // Where settings.json is a link, its copies are beside the file that it leads to.
  const folder = dirname(realPathOf(join(home, 'settings.json')));
  const text = first === undefined ? undefined : tryReadText(join(folder, first));
  if (text === undefined || sha256(text) !== removed.hash) return;
  const settings: SettingsRecord = {
    backups: [...removed.backups, ...next.settings.backups, ...now.backups],
    created: removed.created,
    hash: now.hash,
  };
  const file = manifestPath(home, next.pluginName);
  replaceFile(file, Buffer.from(`${JSON.stringify({ ...next, settings }, null, 2)}\n`));
}
