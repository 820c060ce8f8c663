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
  /** Keys of the entry that the plugin's own manifest decides. */
  overruled: readonly string[];
}

/** Only the marketplace reads these. */
const ENTRY_ONLY = new Set([
  'source',
  'path',
  'strict',
  'category',
  'tags',
  'relevance',
  'headers',
  'headersHelper',
]);
/** What an entry lists is added to what the plugin lists. */
const ADDED = ['commands', 'agents', 'skills'] as const;
const OVERRULED = new Set([
  'hooks',
  'mcpServers',
  'lspServers',
  'userConfig',
  'channels',
  'outputStyles',
  'themes',
]);

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
    const added = Object.fromEntries(
      ADDED.flatMap((key) => {
        const [mine, theirs] = [own[key], listed[key]];
        return isOther(mine, theirs) ? [[key, [...itemsOf(mine), ...itemsOf(theirs)]]] : [];
      }),
    );
    // Of the repository itself an entry takes just the skills that it lists.
    const picksSkills = isRoot(entry) && listed['skills'] !== undefined;
    return {
      fields: { ...listed, ...own, ...added },
      source: file ? PLUGIN_MANIFEST : 'marketplace.json',
      replaced: new Set(picksSkills ? (['skills'] as const) : []),
      overruled: Object.keys(listed).filter(
        (key) => OVERRULED.has(key) && isOther(own[key], listed[key]) && !Object.hasOwn(added, key),
      ),
    };
  }
  const replaced = new Set(COMPONENT_KEYS.filter((key) => listed[key] !== undefined));
  const { version, description } = own;
  const gaps = Object.entries({ version, description }).filter(([, value]) => value !== undefined);
  const fields = { ...Object.fromEntries(gaps), ...listed };
  const lost = [...COMPONENT_KEYS, 'userConfig'].filter(
    (key) => own[key] !== undefined && listed[key] === undefined,
  );
  return {
    fields,
    source: 'marketplace.json',
    replaced,
    overruled: lost.map((key) => `${PLUGIN_MANIFEST}: ${key}`),
  };
}

function isOther(mine: unknown, theirs: unknown): boolean {
  return mine !== undefined && theirs !== undefined && JSON.stringify(mine) !== JSON.stringify(theirs);
}

function isRoot(entry: Readonly<Record<string, unknown>> | undefined): boolean {
  const source = entry?.['source'] ?? entry?.['path'];
  return typeof source === 'string' && /^\.?\/?$/.test(source.trim());
}

/** A map of commands becomes a list of items with names. */
function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const isMap =
    isObject(value) && !['file', 'source', 'content', 'path'].some((key) => typeof value[key] === 'string');
  if (!isMap) return [value];
  return Object.entries(value).map(([name, item]) =>
    isObject(item) ? { name, ...item } : { name, path: item },
  );
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
  'experimental',
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
export function lostFields({ fields, source, overruled }: PluginManifest, tree: PluginTree): ReportRow[] {
  const paths = [...tree.files.keys()];
  const experimental = objectOf(fields['experimental']);
  const lost = Object.entries(NOT_CONVERTIBLE).flatMap(([key, what]): ReportRow[] => {
    const pattern = NOT_CONVERTIBLE_FILES[key];
    const file = pattern && paths.find((path) => pattern.test(path));
    const place = [key, `experimental.${key}`].find(
      (_, at) => [fields, experimental][at]?.[key] !== undefined,
    );
    if (place === undefined && file === undefined) return [];
    const reason = `${what} cannot be converted`;
    const at = place === undefined ? (file ?? '') : `${source}: ${place}`;
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
  const unknown = [
    ...Object.keys(fields).filter((key) => !KNOWN.has(key) && !Object.hasOwn(MISSPELT, key)),
    ...Object.keys(experimental)
      .filter((key) => !Object.hasOwn(NOT_CONVERTIBLE, key))
      .map((key) => `experimental.${key}`),
  ];
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
  const unused = overruled.map(
    (key): ReportRow => ({
      action: 'warned',
      kind: 'plugin',
      source: key.includes(':') ? key : `marketplace.json: ${key}`,
      reason: `it is not read: ${key.includes(':') ? 'the entry of the marketplace' : PLUGIN_MANIFEST} counts`,
    }),
  );
  const wrong: ReportRow[] = isText
    ? []
    : [{ action: 'warned', kind: 'plugin', source: `${source}: description`, reason: 'it is not a text' }];
  return [...lost, ...unused, ...misspelt, ...about, ...dropped, ...wrong];
}
