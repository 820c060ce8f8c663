/** Removes what an import has written: unchanged files are deleted, changed ones are moved to a backup. */
import type { ReportRow } from '../types.js';
import { type Backup, lookAt, removeEmptyParents, removeFile } from './home-files.js';
import type { HomeManifest } from './home-manifest.js';

export function removeRecorded(
  home: string,
  old: HomeManifest | undefined,
  paths: readonly string[],
  backup: Backup,
  isKept: (path: string) => boolean,
): { rows: ReportRow[]; removed: number } {
  const rows: ReportRow[] = [];
  let removed = 0;
  const moveAway = (path: string, reason: string) => {
    const target = backup.move(path);
    removeEmptyParents(home, path);
    rows.push({ action: 'warned', kind: 'file', source: path, target, reason });
  };
  for (const path of [...paths, ...withoutHash(old, isKept)]) {
    const found = lookAt(home, path);
    if (found.kind === 'absent') continue;
    const hash = old?.hashes[path];
    const isOurs = found.kind === 'file' && [hash, old?.previous?.[path]].includes(found.hash);
    if (isOurs) removeFile(home, path);
    else if (found.kind === 'file' || hash === undefined)
      moveAway(path, 'it was changed since it was written; it is kept there');
    else
      rows.push({
        action: 'warned',
        kind: 'file',
        source: path,
        reason: 'a folder or a link is in its place; it stays',
      });
    removed++;
  }
  return { rows, removed };
}

/** Old manifests have no hashes: whether the user changed these is not known. */
function withoutHash(old: HomeManifest | undefined, isKept: (path: string) => boolean): string[] {
  if (!old) return [];
  const hashed = Object.keys(old.hashes);
  const entries = (['skills', 'agents', 'commands'] as const).flatMap((group) =>
    old.groups[group].map((name) => `${group}/${name}`),
  );
  return entries.filter(
    (entry) =>
      !isKept(entry) &&
      !isKept(`${entry}/SKILL.md`) &&
      !hashed.some((path) => path === entry || path.startsWith(`${entry}/`)),
  );
}
