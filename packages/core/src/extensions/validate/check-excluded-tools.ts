/** Names in `excludeTools` that fit no tool. */
import { isBuiltinTool, toolNamed } from '../../agents/definition/tool-entries.js';
import { nearestNames } from '../../base/nearest.js';
import { BUILTIN_TOOLS, canonicalEntries } from '../../tools/catalog.js';
import type { CheckedExtension } from './checked-extension.js';

export function checkExcludedTools({ manifest, raw, warn }: CheckedExtension): void {
  for (const [index, entry] of (manifest.excludeTools ?? []).entries()) {
    const key = Array.isArray(raw['excludeTools']) ? `excludeTools[${index}]` : 'excludeTools';
    const name = entry.replace(/\(.*$/s, '').trim();
    const [canonical = name] = canonicalEntries([name]) ?? [];
    if (!isKnown(canonical)) {
      const [near] = nearestNames(
        name,
        BUILTIN_TOOLS.map((tool) => tool.name),
        1,
        4,
      );
      warn(
        key,
        `"${entry}" fits no tool. ${near ? `Did you mean "${near}"?` : 'MCP tools are mcp_<server>_<tool>.'}`,
      );
    } else if (/\(/.test(entry) && !/\)\s*$/.test(entry))
      warn(key, `"${entry}" has no closing parenthesis. Write run_shell_command(rm -rf).`);
  }
}

/** Patterns and names with `__` or a dot may be tools of MCP servers, which are not known here. */
function isKnown(name: string): boolean {
  return isBuiltinTool(name) || toolNamed(name) !== undefined || /\*|__|^mcp_/.test(name);
}
