/** The files of a plugin that are copied as they are: scripts, assets, documentation. */

import type { PluginFile, PluginLink, ScriptOfClaude } from '../types.js';
import type { Finding } from './find-markdown.js';
import { MARKETPLACE, PLUGIN_MANIFEST } from './plugin-manifest.js';
import type { PluginTree } from './plugin-tree.js';
import { readText } from './read-texts.js';

/** An extension would load these, though the plugin does not: copying them would add rights. */
const LIVE_IN_EXTENSIONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^gemini-extension\.json$/i, 'the manifest of an extension; a new one is written'],
  [/^\.gemini-extension-install\.json$/i, 'the record of an installation'],
  [/^\.env$/i, 'it would be read as the values of settings'],
  [/^(?:hooks\/)?hooks\.(?:json|toml)$/i, 'it would be loaded as hooks'],
  [/^policies\/[^/]+\.toml$/i, 'it would be loaded as policy rules, which plugins do not have'],
  [/^commands\/.*\.toml$/i, 'it would be loaded as a command, which the plugin does not have'],
  [/^agents\/.*\.md$/i, 'it would be loaded as an agent'],
  [/^skills\/(?:[^/]+\/)?SKILL\.md$/i, 'it would be loaded as a skill, which the plugin does not have'],
];

const NOT_PART = 'not part of an extension; --all-files copies it';

export interface OtherFileOptions {
  allFiles?: boolean;
  hasRootSkill: boolean;
}

export function otherFiles(
  { tree, rows, used }: Finding,
  { allFiles = false }: OtherFileOptions,
): (PluginFile | PluginLink)[] {
  const isLeftOut = (path: string): boolean => {
    if (used.has(path)) return true;
    if (!allFiles && path.startsWith('.claude-plugin/')) {
      if (path !== PLUGIN_MANIFEST && path !== MARKETPLACE)
        rows.push({ action: 'skipped', kind: 'file', source: path, reason: NOT_PART });
      return true;
    }
    const reason = whyLive(path);
    if (reason === undefined) return false;
    rows.push({ action: 'skipped', kind: 'file', source: path, reason });
    return true;
  };
  if (tree.skipped.length > 0 && !allFiles)
    for (const source of tree.skipped)
      rows.push({
        action: 'skipped',
        kind: 'file',
        source,
        reason: NOT_PART,
      });
  if (allFiles)
    for (const source of tree.skipped)
      rows.push({ action: 'skipped', kind: 'file', source, reason: 'the history of a repository' });
  const files = [...tree.files.values()].filter(({ path }) => !isLeftOut(path));
  const kept = new Set(files.map(({ path }) => path));
  /** A folder that is copied becomes one that an extension loads by its other name. */
  const makesLive = ({ path, leadsTo }: PluginLink): boolean => {
    const names = files
      .filter((file) => file.path.startsWith(`${leadsTo}/`))
      .map((file) => path + file.path.slice(leadsTo.length));
    const reason = names.map(whyLive).find((found) => found !== undefined);
    if (reason === undefined) return false;
    rows.push({ action: 'skipped', kind: 'file', source: path, reason });
    return true;
  };
  const links = [...tree.links.values()].filter((link) => {
    if (isLeftOut(link.path) || (link.isFolder && makesLive(link))) return false;
    const leadsToKept = link.isFolder
      ? files.some(({ path }) => path.startsWith(`${link.leadsTo}/`))
      : kept.has(link.leadsTo);
    if (leadsToKept) return true;
    if (!isPartOfComponent(link, used))
      rows.push({
        action: 'skipped',
        kind: 'file',
        source: link.path,
        reason: 'a link to a file that is not copied',
      });
    return false;
  });
  return [...files, ...links];
}

function whyLive(path: string): string | undefined {
  return LIVE_IN_EXTENSIONS.find(([pattern]) => pattern.test(path))?.[1];
}

function isPartOfComponent({ path }: PluginLink, used: ReadonlySet<string>): boolean {
  return [...used].some((one) => one.startsWith(`${path}/`));
}

const SCRIPT = /\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|mts|rb|pl|php|ps1|cmd|bat)$/i;
const ROOT = 'CLAUDE_PLUGIN_ROOT';
const PROJECT = 'CLAUDE_PROJECT_DIR';
const VARIABLES = /\bCLAUDE_(?:PLUGIN_(?:ROOT|DATA|OPTION_\w+)|PROJECT_DIR|ENV_FILE)\b/g;

/** Scripts that read variables which only Claude Code sets; those without an ending if they begin with `#!`. */
export async function scriptsOfClaude(tree: PluginTree): Promise<ScriptOfClaude[]> {
  const found: ScriptOfClaude[] = [];
  for (const file of tree.files.values()) {
    const hasEnding = /\.\w+$/.test(file.path);
    if (!(hasEnding ? SCRIPT.test(file.path) : file.isExecutable) || file.path.includes('node_modules/'))
      continue;
    const text = await readText(file);
    if (text === undefined || (!hasEnding && !text.startsWith('#!'))) continue;
    const names = [...new Set(text.match(VARIABLES))];
    const readsTranscript = text.includes('transcript_path');
    if (names.length === 0 && !readsTranscript) continue;
    const options = names.filter((name) => name.startsWith('CLAUDE_PLUGIN_OPTION_'));
    const notSupplied = names.filter((name) => name !== ROOT && name !== PROJECT && !options.includes(name));
    const [readsRoot, readsProject] = [names.includes(ROOT), names.includes(PROJECT)];
    found.push({ path: file.path, readsRoot, readsProject, options, readsTranscript, notSupplied });
  }
  return found;
}
