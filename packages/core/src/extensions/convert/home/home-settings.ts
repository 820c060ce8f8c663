/** The servers of a plugin in settings.json: only the key `mcpServers` changes, comments and other keys stay. */
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JsoncError, parseJsonc } from '../../../base/jsonc.js';
import { isObject, objectOf } from '../../../base/objects.js';
import { replaceFile } from '../../../platform/files/atomic-write.js';
import { realPathOf } from '../../../platform/files/real-path.js';
import { tryLstat, tryReadText } from '../../../platform/files/try-read.js';
import { withFileLock } from '../../../platform/locks/file-lock.js';
import { editText } from '../../../settings/writing/edit-text.js';
import { ConvertError } from '../convert-error.js';
import { sha256 } from './home-files.js';
import type { SettingsRecord } from './home-manifest.js';

const FILE = 'settings.json';

export type Servers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** @throws ConvertError when the file cannot be edited; called before anything is written */
export function readServers(home: string): Servers {
  const file = join(home, FILE);
  const text = tryReadText(file);
  if (text === undefined) {
    if (tryLstat(file)) throw new ConvertError(`${file} cannot be read. Check its permissions.`);
    return {};
  }
  const plain = text.replace(/^\ufeff/, '');
  if (plain.trim() === '') return {};
  let value: unknown;
  try {
    value = parseJsonc(plain);
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    throw new ConvertError(
      `${file}, line ${error.line}, column ${error.column}: ${error.message}. Correct it; nothing was changed.`,
    );
  }
  if (!isObject(value) || (value['mcpServers'] !== undefined && !isObject(value['mcpServers'])))
    throw new ConvertError(
      `${file} must be an object, and "mcpServers" in it, too. Correct it; nothing was changed.`,
    );
  const servers = Object.entries(objectOf(value['mcpServers']));
  return Object.fromEntries(servers.map(([name, server]) => [name, objectOf(server)]));
}

export interface ServerChanges {
  put: Servers;
  remove: readonly string[];
  /** Of the backup. */
  time: string;
  record: SettingsRecord | undefined;
}

/**
 * @param announce saves the record before the file changes, so that a killed import can be undone
 * @returns the record for the manifest; the given one if nothing changes
 */
export async function changeServers(
  home: string,
  changes: ServerChanges,
  announce: (record: SettingsRecord) => void = () => {},
): Promise<SettingsRecord | undefined> {
  const { record } = changes;
  const current = readServers(home);
  const isSame =
    Object.entries(changes.put).every(([name, server]) => isEqual(current[name], server)) &&
    changes.remove.every((name) => current[name] === undefined);
  if (isSame) return record;
  const file = realPathOf(join(home, FILE));
  mkdirSync(dirname(file), { recursive: true });
  return withFileLock(file, () => {
    const before = tryReadText(file);
    const isOurs = record !== undefined && before !== undefined && sha256(before) === record.hash;
    const mark = before?.startsWith('\ufeff') ? '\ufeff' : '';
    let text = (before ?? '').slice(mark.length);
    for (const name of changes.remove) text = editText(text, ['mcpServers', name], undefined);
    for (const [name, server] of Object.entries(changes.put))
      text = editText(text, ['mcpServers', name], server);
    const backup = before === undefined ? [] : [freeCopyName(file, changes.time)];
    const next: SettingsRecord = {
      backups: [...(isOurs ? record.backups : []), ...backup],
      created: isOurs ? record.created : before === undefined,
      hash: sha256(mark + text),
    };
    announce(next);
    for (const name of backup) copyFileSync(file, join(dirname(file), name));
    if (before === undefined) writeFileSync(file, mark + text, { flag: 'wx', mode: 0o600 });
    else replaceFile(file, Buffer.from(mark + text));
    return next;
  });
}

/**
 * Restores the earlier file if only imports have changed it since; otherwise only removes the servers.
 * @returns what that change has recorded; undefined if the file is as before
 */
export async function removeServers(
  home: string,
  names: readonly string[],
  record: SettingsRecord | undefined,
  time: string,
): Promise<SettingsRecord | undefined> {
  const file = realPathOf(join(home, FILE));
  const text = tryReadText(file);
  if (text === undefined) return undefined;
  // The copy of an import that was killed before it changed the file.
  const copies = (record?.backups ?? []).map((name) => join(dirname(file), name));
  if (record && sha256(text) !== record.hash)
    for (const copy of copies) if (tryReadText(copy) === text) rmSync(copy, { force: true });
  if (record && sha256(text) === record.hash && restore(file, record)) return undefined;
  const changed = await changeServers(home, { put: {}, remove: names, time, record });
  return changed === record ? undefined : changed;
}

function restore(file: string, { backups, created }: SettingsRecord): boolean {
  const folder = dirname(file);
  const [first, ...others] = backups.map((name) => join(folder, name));
  if (created) rmSync(file);
  else if (first !== undefined && tryLstat(first)?.isFile()) renameSync(first, file);
  else return false;
  for (const backup of created && first !== undefined ? [first, ...others] : others)
    rmSync(backup, { force: true });
  return true;
}

function freeCopyName(file: string, time: string): string {
  for (let count = 1; ; count++) {
    const name = `${FILE}.bak.${time}${count === 1 ? '' : `-${count}`}`;
    if (!tryLstat(join(dirname(file), name))) return name;
  }
}

export function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
