/** Which tools of a server are offered: its `includeTools` and `excludeTools`, and what can be called at all. */
import type { McpServerFields } from '../config.js';
import type { McpToolDefinition } from '../definitions.js';

/** Exclusion wins. An include entry may also be written with arguments, `name(…)`. */
export function selectTools(
  tools: readonly McpToolDefinition[],
  { includeTools, excludeTools = [] }: McpServerFields,
): McpToolDefinition[] {
  return tools.filter(
    ({ name, needsTask }) =>
      !needsTask &&
      !excludeTools.includes(name) &&
      (!includeTools || includeTools.some((entry) => entry === name || entry.startsWith(`${name}(`))),
  );
}
