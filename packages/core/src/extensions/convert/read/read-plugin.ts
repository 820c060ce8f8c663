/** Reads a plugin of Claude Code. Everything in it is data: nothing is run, and no path leads out of its folder. */
import { basename, resolve } from 'node:path';
import { objectOf } from '../../../base/objects.js';
import { isDirectory } from '../../../platform/files/try-read.js';
import { ConvertError } from '../convert-error.js';
import { extensionName } from '../names.js';
import type { ConvertOptions, ReadPlugin, ReportRow, SourceText } from '../types.js';
import { type Finding, findAgents, findCommands } from './find-markdown.js';
import { findSkills } from './find-skills.js';
import { findHooks, findMcpServers } from './find-values.js';
import { otherFiles, scriptsOfClaude } from './other-files.js';
import { lostFields, MARKETPLACE, PLUGIN_MANIFEST, readManifest } from './plugin-manifest.js';
import { namedPath } from './plugin-paths.js';
import { fileAt, isFolder, type PluginTree, readTree } from './plugin-tree.js';
import { readText } from './read-texts.js';

export interface PluginLocation {
  /** Absolute. */
  dir: string;
  /** How messages call a folder that was fetched: its address. */
  shownAs?: string;
  /** Its entry in a marketplace. */
  entry?: Readonly<Record<string, unknown>>;
  /** Used where no manifest has a name. */
  defaultName?: string;
  /** Why the marketplace beside it cannot be read; without a final dot. */
  marketProblem?: string;
  /** Absolute folders that are not part of it. */
  skipFolders?: readonly string[];
}

export type ReadOptions = Pick<ConvertOptions, 'name' | 'allFiles' | 'context' | 'force'>;

const SKIPPED = new Set(['.git', 'node_modules', '.github']);
const ALWAYS_SKIPPED = new Set(['.git']);
const EXTENSION_MANIFEST = 'gemini-extension.json';

/** @throws ConvertError when it is not a plugin */
export async function readPlugin(location: PluginLocation, options: ReadOptions): Promise<ReadPlugin> {
  const { dir, entry, marketProblem, skipFolders = [] } = location;
  if (!isDirectory(dir)) throw new ConvertError(`Not a folder: ${dir}. Name the folder of a plugin.`);
  const tree = readTree(dir, {
    skipNames: options.allFiles ? ALWAYS_SKIPPED : SKIPPED,
    skipFolders: [...skipFolders, ...earlierOutput(dir)],
  });
  requireClaudePlugin(tree, location, options);
  const manifest = await readManifest(tree, entry);
  const rows: ReportRow[] = [...tree.rows];
  if (marketProblem !== undefined)
    rows.push({ action: 'warned', kind: 'plugin', source: MARKETPLACE, reason: marketProblem });
  const finding: Finding = { tree, manifest, rows, used: new Set([PLUGIN_MANIFEST]) };
  const writtenName = nameOf(manifest.fields['name'], location, tree, options);
  const name =
    extensionName(options.name ?? writtenName) ||
    (options.name === undefined ? extensionName(location.defaultName ?? basename(tree.root)) : '');
  if (name === '')
    throw new ConvertError(
      `"${writtenName.slice(0, 60)}" has no letters a-z or digits. Give a name: --name my-plugin`,
    );
  const context = await readContext(finding, options);
  const skills = await findSkills(finding);
  const agents = await findAgents(finding);
  const commands = await findCommands(finding);
  const hooks = await findHooks(finding);
  const mcpServers = await findMcpServers(finding);
  rows.push(...lostFields(manifest, tree));
  if (name !== writtenName)
    rows.push({
      action: 'warned',
      kind: 'plugin',
      source: 'name',
      target: 'gemini-extension.json',
      reason: `"${writtenName.slice(0, 60)}" is called ${name} here`,
    });
  const others = otherFiles(finding, {
    ...options,
    hasRootSkill: skills.some(({ folder }) => folder === ''),
  });
  const { version, description } = manifest.fields;
  return {
    writtenName,
    name,
    version,
    ...(typeof description === 'string' && { description }),
    agents,
    commands,
    skills,
    hooks,
    mcpServers,
    userConfig: userConfigOf(manifest.fields),
    ...(context && { context }),
    others,
    scriptsOfClaude: hooks.length > 0 || mcpServers.length > 0 ? await scriptsOfClaude(tree) : [],
    paths: new Set(tree.files.keys()),
    rows,
  };
}

/** Channels ask for values of their own, which their servers get. */
function userConfigOf({ userConfig, channels }: Readonly<Record<string, unknown>>): unknown {
  const ofChannels = (Array.isArray(channels) ? channels : []).map((channel) =>
    objectOf(objectOf(channel)['userConfig']),
  );
  const asked = Object.assign({}, ...ofChannels);
  if (Object.keys(asked).length === 0) return userConfig;
  return { ...asked, ...objectOf(userConfig) };
}

/** What `convert .` has written before. */
function earlierOutput(dir: string): string[] {
  return [resolve(dir, 'dist', 'gemini-extension')];
}

const DEFAULTS = ['commands', 'agents', 'skills'];
const DEFAULT_FILES = ['hooks/hooks.json', '.claude-plugin/hooks.json', '.mcp.json', 'SKILL.md'];

function requireClaudePlugin(
  tree: PluginTree,
  { dir, shownAs = dir, entry }: PluginLocation,
  { force }: ReadOptions,
): void {
  if (fileAt(tree, EXTENSION_MANIFEST) && !force)
    throw new ConvertError(
      `${shownAs} is an extension already: it has ${EXTENSION_MANIFEST}. Install it with ` +
        '"gemini extensions install", or convert the plugin anyway with --force.',
    );
  const isPlugin =
    entry !== undefined ||
    fileAt(tree, PLUGIN_MANIFEST) !== undefined ||
    DEFAULTS.some((name) => isFolder(tree, name)) ||
    DEFAULT_FILES.some((name) => fileAt(tree, name));
  const project = DEFAULTS.some((name) => isFolder(tree, `.claude/${name}`))
    ? ` Name its folder .claude.`
    : '';
  if (!isPlugin)
    throw new ConvertError(
      `${shownAs} is not a plugin: it has no ${PLUGIN_MANIFEST} and no folder commands, agents or skills.${project}`,
    );
}

function nameOf(name: unknown, location: PluginLocation, tree: PluginTree, options: ReadOptions): string {
  if (typeof name === 'string' && name.trim() !== '') return name.trim();
  const hasManifest = fileAt(tree, PLUGIN_MANIFEST) !== undefined && location.entry === undefined;
  if (hasManifest && options.name === undefined)
    throw new ConvertError(`${location.dir}/${PLUGIN_MANIFEST}: "name" is missing. Add it, or give --name.`);
  return location.defaultName ?? basename(tree.root);
}

/** A CLAUDE.md or AGENTS.md is for people who work on the plugin: Claude Code does not load it either. */
async function readContext(
  { tree, rows, used }: Finding,
  { context }: ReadOptions,
): Promise<SourceText | undefined> {
  const path = context === undefined ? 'GEMINI.md' : contextPath(tree, context);
  for (const name of ['CLAUDE.md', 'AGENTS.md']) {
    if (path === name || !fileAt(tree, name)) continue;
    used.add(name);
    const reason = `for people who work on the plugin; --context ${name} makes it the context file`;
    rows.push({ action: 'skipped', kind: 'context', source: name, reason });
  }
  const file = fileAt(tree, path);
  const text = file && (await readText(file));
  used.add('GEMINI.md');
  if (text !== undefined) {
    used.add(path);
    return { path, text };
  }
  if (file)
    rows.push({
      action: 'skipped',
      kind: 'context',
      source: path,
      reason: 'larger than 1 MB, or not a text',
    });
  return undefined;
}

function contextPath(tree: PluginTree, written: string): string {
  const at = namedPath(tree, written);
  if ('problem' in at) throw new ConvertError(`--context ${written}: ${at.problem}.`);
  if (at.kind === 'folder') throw new ConvertError(`--context ${written}: it is a folder, not a file.`);
  return at.path;
}
