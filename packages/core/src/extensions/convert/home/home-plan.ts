/** Decides for each file of a plugin whether it is written to the home folder. Files of the user are not overwritten. */
import { join } from 'node:path';
import { tryLstat } from '../../../platform/files/try-read.js';
import type { ComponentKind, ConvertedPlugin, OutputFile, ReportRow } from '../types.js';
import { hashOf, lookAt } from './home-files.js';
import type { HomeManifest } from './home-manifest.js';

export interface FilePlan {
  writes: Map<string, OutputFile>;
  /** Moved away before: changed by the user, or replaced by --force. */
  backups: string[];
  /** Hashes of everything that is ours afterwards, by path. */
  kept: Map<string, string>;
  rows: ReportRow[];
}

export interface PlanRequest {
  home: string;
  converted: ConvertedPlugin;
  old: HomeManifest | undefined;
  owners: ReadonlyMap<string, string>;
  force: boolean;
  /** Files that are replaced as with `force`: no agent is loaded from them. */
  invalid: ReadonlySet<string>;
}

export function planFiles(request: PlanRequest): FilePlan {
  const plan: FilePlan = { writes: new Map(), backups: [], kept: new Map(), rows: [] };
  for (const [unit, files] of unitsOf(request.converted.files)) planUnit(unit, files, request, plan);
  return plan;
}

/** A skill is one unit: a mixture of two skills would be neither. */
function unitsOf(files: ConvertedPlugin['files']): Map<string, Map<string, OutputFile>> {
  const units = new Map<string, Map<string, OutputFile>>();
  for (const [path, file] of files) {
    const unit = path.startsWith('skills/') ? path.split('/').slice(0, 2).join('/') : path;
    units.set(unit, (units.get(unit) ?? new Map()).set(path, file));
  }
  return units;
}

function planUnit(
  unit: string,
  files: ReadonlyMap<string, OutputFile>,
  { home, old, owners, force, invalid }: PlanRequest,
  plan: FilePlan,
): void {
  const skip = (reason: string) =>
    plan.rows.push({ action: 'skipped', kind: kindOf(unit), source: unit, target: unit, reason });
  const owner = owners.get(unit) ?? [...files.keys()].map((path) => owners.get(path)).find((one) => one);
  if (owner !== undefined) return void skip(`it belongs to the plugin ${owner}`);
  const wanted = [...files].map(([path, file]) => ({
    path,
    file,
    hash: hashOf(file),
    found: lookAt(home, path),
  }));
  const isOwn = isRecorded(unit, old);
  const isSame = wanted.every(({ hash, found }) => found.kind === 'file' && found.hash === hash);
  const isTaken = !isOwn && !isSame && tryLstat(join(home, unit)) !== undefined;
  if (isTaken && !isHalfWritten(wanted) && !force && !invalid.has(unit))
    return void skip(
      'there is another one of that name, which is kept; --force replaces it and keeps a copy',
    );
  if (wanted.some(({ found }) => found.kind === 'other') && !isTaken)
    return void skip('a folder or a link is in its place');
  if (isTaken && !isHalfWritten(wanted)) plan.backups.push(unit);
  for (const { path, file, hash, found } of wanted) {
    plan.kept.set(path, hash);
    if (found.kind === 'file' && found.hash === hash && !plan.backups.includes(unit)) continue;
    plan.writes.set(path, file);
    const known = [old?.hashes[path], old?.previous?.[path]];
    const isChanged = isOwn && found.kind === 'file' && !known.includes(found.hash);
    if (isChanged) plan.backups.push(path);
  }
}

/** An interrupted import has written some files of a skill, all of them as wanted. */
function isHalfWritten(
  wanted: readonly { hash: string; found: ReturnType<typeof lookAt>; path: string }[],
): boolean {
  const there = wanted.filter(({ found }) => found.kind !== 'absent');
  return (
    wanted.length > 1 &&
    there.length > 0 &&
    there.every(({ hash, found }) => found.kind === 'file' && found.hash === hash)
  );
}

function isRecorded(unit: string, old: HomeManifest | undefined): boolean {
  if (!old) return false;
  const [folder, ...rest] = unit.split('/');
  if (folder === 'skills' || folder === 'agents' || folder === 'commands')
    return old.groups[folder].includes(rest.join('/'));
  return old.hashes[unit] !== undefined;
}

function kindOf(unit: string): ComponentKind {
  if (unit.startsWith('skills/')) return 'skill';
  if (unit.startsWith('agents/')) return 'agent';
  return unit.startsWith('commands/') ? 'command' : 'file';
}
