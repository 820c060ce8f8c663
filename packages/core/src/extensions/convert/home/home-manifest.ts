/** `~/.gemini/<plugin>/install-manifest.json`: what an import into the home folder has written. */
import { join } from 'node:path';
import { isObject, objectOf } from '../../../base/objects.js';
import { readSmallFile } from '../../../platform/files/private-file.js';

export const HOME_MANIFEST = 'install-manifest.json';
const VERSION = 1;

export type HomeGroup = 'skills' | 'agents' | 'commands' | 'mcpServers';

/** How settings.json looked before the first server was written, and after the last. */
export interface SettingsRecord {
  /** Names of copies beside the file, oldest first. */
  backups: readonly string[];
  /** The file did not exist before. */
  created: boolean;
  /** Of the text that was written last. */
  hash: string;
}

export interface HomeManifest {
  version: typeof VERSION;
  pluginName: string;
  /** Skills are folders; agents and commands are paths of files below their folder. */
  groups: Readonly<Record<HomeGroup, readonly string[]>>;
  pluginVersion?: string;
  source?: string;
  installedAt?: string;
  /** By path below `~/.gemini`. */
  hashes: Readonly<Record<string, string>>;
  /** Of the files of before, while an import is under way: after a crash each file is one of both. */
  previous?: Readonly<Record<string, string>>;
  settings?: SettingsRecord;
}

export function manifestPath(home: string, plugin: string): string {
  return join(home, plugin, HOME_MANIFEST);
}

/** Neither: there is no such file. A file that cannot be used is named in `problem`. */
export function readHomeManifest(
  home: string,
  plugin: string,
): { manifest?: HomeManifest; problem?: string } {
  const file = manifestPath(home, plugin);
  const ignored = (why: string) => ({ problem: `${file} is ignored: ${why}` });
  let value: unknown;
  try {
    const text = readSmallFile(file)?.text;
    if (text === undefined) return {};
    value = JSON.parse(text);
  } catch {
    return ignored('it cannot be read');
  }
  if (!isObject(value)) return ignored('it is not an object');
  if (value['version'] !== VERSION) return ignored('it has another version');
  if (value['pluginName'] !== plugin) return ignored('it belongs to another plugin');
  return { manifest: checked(value, plugin) };
}

function checked(value: Record<string, unknown>, pluginName: string): HomeManifest {
  const groups = objectOf(value['groups']);
  const list = (key: HomeGroup) =>
    (Array.isArray(groups[key]) ? groups[key] : []).filter(
      (item): item is string => typeof item === 'string' && (key === 'mcpServers' || isSafe(item)),
    );
  const { pluginVersion, source, installedAt } = value;
  const settings = settingsRecord(value['settings']);
  return {
    version: VERSION,
    pluginName,
    groups: {
      skills: list('skills').filter((name) => !name.includes('/')),
      agents: list('agents'),
      commands: list('commands'),
      mcpServers: list('mcpServers'),
    },
    ...(typeof pluginVersion === 'string' && { pluginVersion }),
    ...(typeof source === 'string' && { source }),
    ...(typeof installedAt === 'string' && { installedAt }),
    hashes: hashesIn(value['hashes'], pluginName),
    ...(isObject(value['previous']) && { previous: hashesIn(value['previous'], pluginName) }),
    ...(settings && { settings }),
  };
}

function hashesIn(value: unknown, plugin: string): Record<string, string> {
  const pairs = Object.entries(objectOf(value)).filter(
    (pair): pair is [string, string] =>
      typeof pair[1] === 'string' && isSafe(pair[0]) && isWritable(pair[0], plugin),
  );
  return Object.fromEntries(pairs);
}

/** Relative, with `/`, and without a part that leads elsewhere. */
function isSafe(path: string): boolean {
  return (
    !/[\\:\0]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

/** A manifest that was edited must not make us remove other files of the home folder. */
function isWritable(path: string, plugin: string): boolean {
  return /^(?:skills|agents|commands)\//.test(path) || path.startsWith(`${plugin}/files/`);
}

function settingsRecord(value: unknown): SettingsRecord | undefined {
  if (!isObject(value) || typeof value['hash'] !== 'string' || !Array.isArray(value['backups']))
    return undefined;
  const backups = value['backups'].filter(
    (name): name is string => typeof name === 'string' && /^settings\.json\.bak\.[\w-]+$/.test(name),
  );
  return { backups, created: value['created'] === true, hash: value['hash'] };
}
