/** Finds the agents and commands of a plugin: default folders, and what the manifest names besides. */
import { basename } from 'node:path';
import { isObject } from '../../../base/objects.js';
import type { ComponentKind, PluginFile, ReportRow, SourceCommand, SourceText } from '../types.js';
import type { PluginManifest } from './plugin-manifest.js';
import { listOf, namedPath } from './plugin-paths.js';
import { fileAt, filesBelow, isFolder, type PluginTree, withoutLinks } from './plugin-tree.js';
import { readText } from './read-texts.js';

/** Texts for people, if they have no header. Only agents need one, so an `index.md` is not an agent. */
const DOCUMENTATION = /^(?:readme|agents|claude|gemini|changelog|contributing|license)\.md$/i;
const NO_AGENTS = /^(?:index|template)\.md$/i;

interface FoundFile {
  file: PluginFile;
  /** The manifest names this file itself. */
  isNamed?: true;
  /** Path below the folder that was searched, without `.md`. */
  name: string;
}

export interface Finding {
  tree: PluginTree;
  manifest: PluginManifest;
  rows: ReportRow[];
  /** Real paths of files that became components. */
  used: Set<string>;
}

export async function findAgents(finding: Finding): Promise<SourceText[]> {
  const { tree, manifest } = finding;
  const found = manifest.replaced.has('agents') ? [] : below(tree, 'agents');
  for (const item of listOf(manifest.fields['agents']))
    found.push(...named(finding, 'agent', 'agents', item));
  const texts = await read(finding, 'agent', found);
  return texts.map(({ path, text }) => ({ path, text }));
}

export async function findCommands(finding: Finding): Promise<SourceCommand[]> {
  const { tree, manifest } = finding;
  const { commands } = manifest.fields;
  const found = manifest.replaced.has('commands') ? [] : below(tree, 'commands');
  // A file of the default folder keeps the name and the description that the manifest gives it.
  const titled: FoundFile[] = [];
  const written: SourceCommand[] = [];
  const isMap = isObject(commands) && !isItem(commands);
  const items = isMap
    ? Object.entries(commands).map(([name, value]) =>
        isObject(value) ? { name, ...value } : typeof value === 'string' ? { name, file: value } : value,
      )
    : listOf(commands);
  const abouts = new Map<FoundFile, ReturnType<typeof aboutCommand>>();
  for (const item of items) {
    if (!isObject(item)) {
      found.push(...named(finding, 'command', 'commands', item));
      continue;
    }
    const { name, content } = item;
    const about = aboutCommand(item);
    const path = item['file'] ?? item['source'] ?? item['path'];
    if (typeof path === 'string') {
      for (const one of named(finding, 'command', 'commands', path)) {
        const renamed =
          typeof name === 'string' && one.isNamed ? { ...one, name: name.replaceAll(':', '/') } : one;
        titled.push(renamed);
        abouts.set(renamed, about);
      }
    } else if (typeof content === 'string' && typeof name === 'string') {
      const source = `${manifest.source}: commands.${name}`;
      written.push({ path: source, text: content, name: name.replaceAll(':', '/'), ...about });
    } else leftOut(finding, 'command', 'commands', 'an entry names neither a file nor a content');
  }
  const texts = await read(finding, 'command', [...titled, ...found]);
  const commandsOfFiles = texts.map(({ found: one, path, text }) => {
    const name = one.name.replace(/\/SKILL$/i, '');
    return { path, text, name, ...abouts.get(one) };
  });
  return [...commandsOfFiles, ...written];
}

const COMMAND_KEYS = new Set(['name', 'file', 'source', 'path', 'content', 'description', 'argumentHint']);

function aboutCommand(
  item: Record<string, unknown>,
): Pick<SourceCommand, 'description' | 'hint' | 'dropped'> {
  const { description, argumentHint: hint } = item;
  const isUsed = (key: string) => COMMAND_KEYS.has(key) || (key === 'enabled' && item[key] === true);
  const dropped = Object.keys(item).filter((key) => !isUsed(key));
  return {
    ...(typeof description === 'string' && { description }),
    ...(typeof hint === 'string' && { hint }),
    ...(dropped.length > 0 && { dropped: dropped.map((key) => key.slice(0, 40)) }),
  };
}

function isItem(value: Record<string, unknown>): boolean {
  return ['file', 'source', 'content'].some((key) => typeof value[key] === 'string');
}

function below(tree: PluginTree, folder: string): FoundFile[] {
  if (!isFolder(tree, folder)) return [];
  return filesBelow(tree, folder)
    .filter(({ path }) => /\.md$/i.test(path))
    .map((file) => ({ file, name: file.path.slice(folder === '' ? 0 : folder.length + 1, -3) }));
}

function named(finding: Finding, kind: ComponentKind, key: string, item: unknown): FoundFile[] {
  const { tree } = finding;
  if (typeof item !== 'string') {
    leftOut(finding, kind, key, 'an entry is not a path');
    return [];
  }
  const at = namedPath(tree, item);
  if ('problem' in at) {
    leftOut(finding, kind, `${key}: ${item}`, at.problem);
    return [];
  }
  if (at.kind === 'folder') return below(tree, at.path);
  const file = fileAt(tree, at.path);
  if (file && /\.md$/i.test(at.path)) return [{ file, name: basename(at.path).slice(0, -3), isNamed: true }];
  leftOut(finding, kind, `${key}: ${item}`, 'not a Markdown file');
  return [];
}

function isDocumentation(kind: ComponentKind, name: string): boolean {
  return DOCUMENTATION.test(name) || (kind === 'agent' && NO_AGENTS.test(name));
}

export function leftOut(finding: Finding, kind: ComponentKind, where: string, reason: string): void {
  const source = `${finding.manifest.source}: ${where}`;
  finding.rows.push({ action: 'skipped', kind, source, reason });
}

async function read(
  { tree, rows, used }: Finding,
  kind: ComponentKind,
  found: readonly FoundFile[],
): Promise<(SourceText & { found: FoundFile })[]> {
  const texts: (SourceText & { found: FoundFile })[] = [];
  for (const one of found) {
    const { path } = one.file;
    const real = withoutLinks(tree, tree.links.get(path)?.leadsTo ?? path);
    if (used.has(real)) continue;
    used.add(real);
    used.add(path);
    const text = await readText(one.file);
    const skip = (reason: string) => rows.push({ action: 'skipped', kind, source: path, reason });
    if (text === undefined) skip('larger than 1 MB, or not a text');
    else if (!one.isNamed && isDocumentation(kind, basename(path)) && !/^\s*---/.test(text))
      skip('a text for people: it has no header');
    else if (kind === 'agent' && basename(path).startsWith('_'))
      skip('names that start with "_" are not loaded');
    else texts.push({ path, text, found: one });
  }
  return texts;
}
