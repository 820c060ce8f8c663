/** Finds the skills of a plugin: folders with a SKILL.md at any depth of `skills/`, and what the manifest names. */
import { basename, dirname } from 'node:path';
import { isObject } from '../../../base/objects.js';
import type { PluginFile, SourceSkill } from '../types.js';
import { type Finding, leftOut } from './find-markdown.js';
import { listOf, namedPath } from './plugin-paths.js';
import { filesBelow, isFolder, withoutLinks } from './plugin-tree.js';
import { readText } from './read-texts.js';

const SKILL = /^skill\.md$/i;

interface FoundSkill {
  folder: string;
  name: string;
  skillFile: PluginFile;
  files: PluginFile[];
}

export async function findSkills(finding: Finding): Promise<SourceSkill[]> {
  const { tree, manifest } = finding;
  const written = manifest.fields['skills'];
  const usesDefault = !manifest.replaced.has('skills') || written === true;
  const found: FoundSkill[] = [];
  if (usesDefault && isFolder(tree, 'skills')) found.push(...skillsBelow(finding, 'skills'));
  const items = isObject(written) && !('path' in written) ? namedEntries(written) : listOf(written);
  for (const item of items) if (typeof item !== 'boolean') found.push(...namedSkills(finding, item));
  if (usesDefault && !isFolder(tree, 'skills') && found.length === 0) found.push(...rootSkill(finding));
  const seen = new Set<string>();
  const skills: SourceSkill[] = [];
  for (const skill of found) {
    const real = withoutLinks(tree, skill.folder);
    if (seen.has(real)) continue;
    seen.add(real);
    skills.push(await readSkill(finding, skill));
  }
  return skills;
}

function namedEntries(map: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(map).map(([name, path]) => (typeof path === 'string' ? { name, path } : path));
}

function namedSkills(finding: Finding, item: unknown): FoundSkill[] {
  const { tree } = finding;
  const path = isObject(item) ? (item['path'] ?? item['source']) : item;
  if (typeof path !== 'string') {
    leftOut(finding, 'skill', 'skills', 'an entry is not a path');
    return [];
  }
  const at = namedPath(tree, path);
  if ('problem' in at) {
    leftOut(finding, 'skill', `skills: ${path}`, at.problem);
    return [];
  }
  const name = isObject(item) && typeof item['name'] === 'string' ? item['name'] : undefined;
  if (isObject(item) && item['enabled'] === false) {
    leftOut(finding, 'skill', `skills: ${path}`, 'it is switched off');
    return [];
  }
  const found = skillsAt(finding, at.kind === 'folder' ? at.path : folderOf(at.path));
  const dropped = isObject(item) ? Object.keys(item).filter((key) => !ITEM_KEYS.has(key)) : [];
  if (dropped.length > 0)
    finding.rows.push({
      action: 'warned',
      kind: 'skill',
      source: `${finding.manifest.source}: skills: ${path}`,
      reason: `dropped ${dropped.map((key) => key.slice(0, 40)).join(', ')}`,
    });
  if (found.length === 0) leftOut(finding, 'skill', `skills: ${path}`, 'there is no SKILL.md');
  return found.length === 1 && name !== undefined ? found.map((skill) => ({ ...skill, name })) : found;
}

const ITEM_KEYS = new Set(['name', 'path', 'source', 'enabled']);

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}

/** A folder is a skill, or it holds skills. */
function skillsAt(finding: Finding, folder: string): FoundSkill[] {
  if (folder === '') {
    const root = rootSkill(finding);
    return root.length > 0 ? root : skillsBelow(finding, 'skills');
  }
  return skillsBelow(finding, folder);
}

/** A skill inside the folder of another one belongs to that one. */
function skillsBelow({ tree }: Finding, folder: string): FoundSkill[] {
  const files = filesBelow(tree, folder);
  const heads = files
    .filter(({ path }) => SKILL.test(basename(path)))
    .sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
  const found: FoundSkill[] = [];
  for (const skillFile of heads) {
    const own = folderOf(skillFile.path);
    // A SKILL.md of the folder itself stands beside those below it.
    if (found.some((other) => other.folder !== folder && isBelow(own, other.folder))) continue;
    if (found.some((other) => other.folder === own)) continue;
    const isHolder = own === folder && heads.length > 1;
    const inside = files.filter(({ path }) => (isHolder ? path === skillFile.path : isBelow(path, own)));
    found.push({ folder: own, name: basename(own), skillFile, files: inside });
  }
  return found;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function depth(path: string): number {
  return path.split('/').length;
}

/** The plugin itself is a skill; the files beside it are found by the caller. */
function rootSkill({ tree, manifest }: Finding): FoundSkill[] {
  const skillFile = [...tree.files.values()].find(({ path }) => SKILL.test(path));
  if (!skillFile) return [];
  const { name } = manifest.fields;
  return [
    {
      folder: '',
      name: typeof name === 'string' ? name : basename(tree.root),
      skillFile,
      files: [skillFile],
    },
  ];
}

async function readSkill(
  { tree, used }: Finding,
  { folder, name, skillFile, files }: FoundSkill,
): Promise<SourceSkill> {
  const texts = new Map<string, string>();
  for (const file of files) {
    used.add(file.path);
    used.add(withoutLinks(tree, tree.links.get(file.path)?.leadsTo ?? file.path));
    if (!/\.md$/i.test(file.path)) continue;
    const text = await readText(file);
    if (text !== undefined) texts.set(file.path, text);
  }
  return { folder, name, skillFile: skillFile.path, files, texts };
}
