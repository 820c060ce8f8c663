/** The manifest of a plugin: `.claude-plugin/plugin.json`, its entry in a marketplace, or both. */
import { isObject, objectOf } from '../../../base/objects.js';
import { ConvertError } from '../convert-error.js';
import type { ReportRow } from '../types.js';
import { fileAt, type PluginTree } from './plugin-tree.js';
import { readJson } from './read-texts.js';

export const PLUGIN_MANIFEST = '.claude-plugin/plugin.json';
export const MARKETPLACE = '.claude-plugin/marketplace.json';

const COMPONENT_KEYS = ['commands', 'agents', 'skills', 'hooks', 'mcpServers'] as const;
export type ComponentKey = (typeof COMPONENT_KEYS)[number];

export interface PluginManifest {
  fields: Readonly<Record<string, unknown>>;
  /** For the report: where the fields are written. */
  source: string;
  /** Kinds whose default folders do not count: the marketplace lists them itself. */
  replaced: ReadonlySet<ComponentKey>;
}

/** Only the marketplace reads these. */
const ENTRY_ONLY = new Set(['source', 'path', 'strict', 'category', 'tags']);

/** @param entry of the marketplace that lists the plugin @throws ConvertError */
export async function readManifest(
  tree: PluginTree,
  entry: Readonly<Record<string, unknown>> | undefined,
): Promise<PluginManifest> {
  const file = fileAt(tree, PLUGIN_MANIFEST);
  const written = file ? await readJson(file) : undefined;
  if (file && !isObject(written))
    throw new ConvertError(`${file.absolute} is not a JSON object. Write {"name": "my-plugin"}.`);
  const own = objectOf(written);
  const listed = Object.fromEntries(Object.entries(entry ?? {}).filter(([key]) => !ENTRY_ONLY.has(key)));
  if (entry?.['strict'] !== false) {
    const fields = { ...listed, ...own };
    return { fields, source: file ? PLUGIN_MANIFEST : 'marketplace.json', replaced: new Set() };
  }
  const replaced = new Set(COMPONENT_KEYS.filter((key) => listed[key] !== undefined));
  const { version, description } = own;
  const gaps = Object.entries({ version, description }).filter(([, value]) => value !== undefined);
  return { fields: { ...Object.fromEntries(gaps), ...listed }, source: 'marketplace.json', replaced };
}

const MISSPELT: Readonly<Record<string, string>> = {
  mcp: 'mcpServers',
  mcp_servers: 'mcpServers',
  slash_commands: 'commands',
  components: 'commands, agents, skills and hooks',
};

/** For people and galleries. */
const ABOUT = new Set(['author', 'homepage', 'repository', 'license', 'keywords']);

const NOT_CONVERTIBLE: Readonly<Record<string, string>> = {
  outputStyles: 'output styles',
  lspServers: 'language servers',
  monitors: 'monitors',
  themes: 'themes',
  workflows: 'workflows',
  settings: 'settings',
  channels: 'channels',
  dependencies: 'dependencies on other plugins',
};

const KNOWN: ReadonlySet<string> = new Set([
  ...COMPONENT_KEYS,
  ...ABOUT,
  ...Object.keys(NOT_CONVERTIBLE),
  'name',
  'version',
  'description',
  'userConfig',
  '$schema',
]);

const NOT_CONVERTIBLE_FILES: Readonly<Record<string, RegExp>> = {
  outputStyles: /^output-styles\//,
  lspServers: /^\.lsp\.json$/,
  monitors: /^monitors\//,
  themes: /^themes\//,
  workflows: /^workflows\/[^/]+\.[cm]?[jt]s$/,
  settings: /^settings\.json$/,
};

/** What has no equivalent here, named once each, and keys that only look like known ones. */
export function lostFields({ fields, source }: PluginManifest, tree: PluginTree): ReportRow[] {
  const paths = [...tree.files.keys()];
  const lost = Object.entries(NOT_CONVERTIBLE).flatMap(([key, what]): ReportRow[] => {
    const pattern = NOT_CONVERTIBLE_FILES[key];
    const file = pattern && paths.find((path) => pattern.test(path));
    if (fields[key] === undefined && file === undefined) return [];
    const reason = `${what} cannot be converted`;
    const at = fields[key] === undefined ? (file ?? '') : `${source}: ${key}`;
    return [{ action: 'warned', kind: 'plugin', source: at, reason }];
  });
  const program = paths.find((path) => /^bin\/[^/]+$/.test(path));
  if (program !== undefined) {
    const reason = 'programs in bin/ are not found by their names here, only by their paths';
    lost.push({ action: 'warned', kind: 'plugin', source: program, reason });
  }
  const misspelt = Object.entries(MISSPELT)
    .filter(([key]) => fields[key] !== undefined)
    .map(([key, meant]): ReportRow => {
      const reason = `"${key}" is not a key of plugins and is not read; it may mean ${meant}`;
      return { action: 'warned', kind: 'plugin', source: `${source}: ${key}`, reason };
    });
  const shown = Object.keys(fields).filter((key) => ABOUT.has(key));
  const about: ReportRow[] =
    shown.length > 0
      ? [{ action: 'warned', kind: 'plugin', source, reason: `extensions have no ${shown.join(', ')}` }]
      : [];
  const unknown = Object.keys(fields).filter((key) => !KNOWN.has(key) && !Object.hasOwn(MISSPELT, key));
  const dropped: ReportRow[] =
    unknown.length > 0
      ? [
          {
            action: 'warned',
            kind: 'plugin',
            source,
            reason: `dropped ${unknown.map((key) => key.slice(0, 40)).join(', ')}`,
          },
        ]
      : [];
  const { description } = fields;
  const isText = description === undefined || description === null || typeof description === 'string';
  const wrong: ReportRow[] = isText
    ? []
    : [{ action: 'warned', kind: 'plugin', source: `${source}: description`, reason: 'it is not a text' }];
  return [...lost, ...misspelt, ...about, ...dropped, ...wrong];
}
