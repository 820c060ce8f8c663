/** Installs a converted plugin into `~/.gemini` without an extension. Running it again repairs an interrupted run. */
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../../platform/files/atomic-write.js';
import { tryLstat } from '../../../platform/files/try-read.js';
import type { ConvertedPlugin, OutputFile, ReportRow } from '../types.js';
import { contentOf } from '../write/put-file.js';
import { Backup, removeEmptyParents, removeTemporary, timestamp } from './home-files.js';
import { withHomeLock } from './home-lock.js';
import { HOME_MANIFEST, type HomeManifest, manifestPath, readHomeManifest } from './home-manifest.js';
import { otherOwners, requireOwnFolder } from './home-owners.js';
import { planFiles } from './home-plan.js';
import { planServers } from './home-servers.js';
import { changeServers, isEqual, readServers } from './home-settings.js';
import { findLeftovers } from './leftovers.js';
import { removeRecorded } from './remove-recorded.js';

export interface HomeRequest {
  /** `~/.gemini`, or `.gemini` of a folder; absolute. */
  home: string;
  converted: ConvertedPlugin;
  /** As it is recorded. */
  source: string;
  /** Replaces files of the user, after a backup. */
  force: boolean;
  dryRun: boolean;
  now: Date;
}

export interface InstalledHome {
  rows: ReportRow[];
  /** Nothing had to be written. */
  unchanged: boolean;
}

/** @throws ConvertError before anything is written */
export async function installHome(request: HomeRequest): Promise<InstalledHome> {
  const { home, converted, dryRun } = request;
  const checked = () => {
    requireOwnFolder(home, converted.name);
    readServers(home);
    return install(request);
  };
  // Another import may be writing the folder of the same plugin right now.
  return dryRun ? checked() : withHomeLock(home, checked);
}

async function install(request: HomeRequest): Promise<InstalledHome> {
  const { home, converted, force, dryRun, now } = request;
  const { name } = converted;
  const rows: ReportRow[] = [];
  const { manifest: old, problem } = readHomeManifest(home, name);
  if (problem !== undefined)
    rows.push({ action: 'warned', kind: 'plugin', source: manifestPath(home, name), reason: problem });
  if (tryLstat(join(home, 'extensions', name)))
    rows.push({
      action: 'warned',
      kind: 'plugin',
      source: name,
      reason:
        'it is also installed as an extension, so everything is there twice: remove one of them ' +
        `(gemini extensions import --remove ${name} --to home)`,
    });
  const owners = otherOwners(home, name);
  const leftovers = await findLeftovers(
    home,
    converted.rows,
    (path) => owners.has(path) || old?.hashes[path] !== undefined,
  );
  const plan = planFiles({ home, converted, old, owners, force, invalid: leftovers.invalid });
  const servers = planServers(converted.mcpServers, { current: readServers(home), old, owners });
  rows.push(...plan.rows, ...servers.rows);
  const time = timestamp(now);
  const backup = new Backup(home, name, time);
  const stale = Object.keys(old?.hashes ?? {}).filter((path) => !plan.kept.has(path));
  const staleServers = (old?.groups.mcpServers ?? []).filter((server) => !(server in servers.put));
  if (dryRun) return { rows, unchanged: false };

  const names = Object.keys(servers.put);
  const save = (manifest: HomeManifest) => {
    mkdirSync(join(home, name), { recursive: true });
    replaceFile(manifestPath(home, name), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  };
  const planned = nextManifest(request, plan.kept, names, old?.settings);
  const isPlanned = isSameManifest(old, planned) && plan.writes.size === 0 && stale.length === 0;
  const pending = underWay(planned, old);
  // From here on a killed process can be repaired by running again, and undone by --remove.
  if (!isPlanned) save(pending);
  removeTemporary(home, [manifestName(name), ...Object.keys(old?.previous ? old.hashes : {})]);
  const removal = removeRecorded(home, old, stale, backup, (path) => plan.kept.has(path));
  rows.push(...removal.rows);
  for (const path of plan.backups) {
    const target = backup.move(path);
    rows.push({
      action: 'warned',
      kind: 'file',
      source: path,
      target,
      reason: 'it was changed; the old one is kept there',
    });
  }
  for (const path of leftovers.nested) {
    const target = backup.move(path);
    removeEmptyParents(home, path);
    rows.push({
      action: 'warned',
      kind: 'agent',
      source: path,
      target,
      reason: 'a copy of an older installer',
    });
  }
  for (const [path, file] of plan.writes) write(join(home, path), file);
  const settings = await changeServers(
    home,
    { put: servers.put, remove: staleServers, time, record: old?.settings },
    (record) => save({ ...pending, settings: record }),
  );
  const manifest = nextManifest(request, plan.kept, names, settings);
  const isSame = isSameManifest(old, manifest);
  if (!isSame || !isPlanned) save(isSame && old ? old : manifest);
  const unchanged = isSame && plan.writes.size === 0 && removal.removed === 0;
  return { rows, unchanged };
}

function manifestName(plugin: string): string {
  return `${plugin}/${HOME_MANIFEST}`;
}

function isSameManifest(old: HomeManifest | undefined, next: HomeManifest): boolean {
  return isEqual({ ...old, installedAt: '' }, { ...next, installedAt: '' });
}

/** What is there before and after: each of these files may be the old or the new one, or missing. */
function underWay(next: HomeManifest, old: HomeManifest | undefined): HomeManifest {
  const both = (group: keyof HomeManifest['groups']) =>
    [...new Set([...(old?.groups[group] ?? []), ...next.groups[group]])].sort();
  return {
    ...next,
    groups: {
      skills: both('skills'),
      agents: both('agents'),
      commands: both('commands'),
      mcpServers: both('mcpServers'),
    },
    hashes: { ...old?.hashes, ...next.hashes },
    previous: { ...old?.previous, ...old?.hashes },
  };
}

function write(path: string, file: OutputFile): void {
  if ('linkTo' in file) {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    symlinkSync(file.linkTo, path);
    return;
  }
  // A link of before would be followed.
  if (tryLstat(path)?.isSymbolicLink()) rmSync(path);
  replaceFile(path, contentOf(file));
  if (file.isExecutable) chmodSync(path, 0o755);
}

function nextManifest(
  { converted, source, now }: HomeRequest,
  kept: ReadonlyMap<string, string>,
  servers: readonly string[],
  settings: HomeManifest['settings'],
): HomeManifest {
  const below = (folder: string) =>
    [...kept.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1));
  const skills = new Set(below('skills').map((path) => path.split('/')[0] ?? path));
  return {
    version: 1,
    pluginName: converted.name,
    groups: {
      skills: [...skills].sort(),
      agents: below('agents').sort(),
      commands: below('commands').sort(),
      mcpServers: [...servers].sort(),
    },
    pluginVersion: converted.version,
    source,
    installedAt: now.toISOString(),
    hashes: Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(settings && { settings }),
  };
}
