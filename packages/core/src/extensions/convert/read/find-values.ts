/** Finds the hooks and MCP servers of a plugin: JSON files at known places, and what the manifest names or contains. */
import { messageOf } from '../../../base/errors.js';
import { isObject } from '../../../base/objects.js';
import type { ComponentKind, SourceValue } from '../types.js';
import { type Finding, leftOut } from './find-markdown.js';
import { listOf, namedPath } from './plugin-paths.js';
import { fileAt, isFolder } from './plugin-tree.js';
import { readJson } from './read-texts.js';

const HOOK_FILES = ['hooks/hooks.json', '.claude-plugin/hooks/hooks.json', '.claude-plugin/hooks.json'];
const MCP_FILES = ['.mcp.json', '.claude-plugin/.mcp.json'];

export async function findHooks(finding: Finding): Promise<SourceValue[]> {
  return find(finding, 'hook', 'hooks', HOOK_FILES);
}

/** An array of servers with names counts as one value. */
export async function findMcpServers(finding: Finding): Promise<SourceValue[]> {
  const { mcpServers } = finding.manifest.fields;
  if (!Array.isArray(mcpServers) || !mcpServers.some(isObject))
    return find(finding, 'mcp-server', 'mcpServers', MCP_FILES);
  const named = mcpServers.filter(isObject);
  const paths = mcpServers.filter((item) => !isObject(item));
  const manifest = { ...finding.manifest, fields: { ...finding.manifest.fields, mcpServers: paths } };
  const found = await find({ ...finding, manifest }, 'mcp-server', 'mcpServers', MCP_FILES);
  return [...found, { source: `${manifest.source}: mcpServers`, value: named }];
}

async function find(
  finding: Finding,
  kind: ComponentKind,
  key: 'hooks' | 'mcpServers',
  defaults: readonly string[],
): Promise<SourceValue[]> {
  const { tree, manifest, used } = finding;
  const values: SourceValue[] = [];
  const seen = new Set<string>();
  const add = async (path: string) => {
    const file = fileAt(tree, path);
    if (!file || seen.has(file.absolute)) return;
    if (/\.(?:mcpb|dxt)$/i.test(path)) {
      finding.rows.push({ action: 'skipped', kind, source: path, reason: 'MCP bundles cannot be converted' });
      return;
    }
    seen.add(file.absolute);
    used.add(path);
    try {
      values.push({ source: path, value: await readJson(file) });
    } catch (error) {
      finding.rows.push({ action: 'skipped', kind, source: path, reason: messageOf(error) });
    }
  };
  const first = defaults.find((path) => fileAt(tree, path));
  if (first !== undefined && !manifest.replaced.has(key)) await add(first);
  for (const item of listOf(manifest.fields[key])) {
    if (isObject(item)) {
      values.push({ source: `${manifest.source}: ${key}`, value: item });
      continue;
    }
    if (typeof item === 'string' && /^https?:/i.test(item)) {
      leftOut(finding, kind, `${key}: ${item}`, 'MCP bundles cannot be converted, and nothing is downloaded');
      continue;
    }
    const at = typeof item === 'string' ? namedPath(tree, item) : { problem: 'an entry is not a path' };
    if ('problem' in at) leftOut(finding, kind, `${key}: ${String(item)}`, at.problem);
    else if (at.kind === 'file') await add(at.path);
    else await add(`${at.path}/${isFolder(tree, at.path) && key === 'hooks' ? 'hooks.json' : '.mcp.json'}`);
  }
  return values;
}
