/** Which tools of a server are offered: its `includeTools` and `excludeTools`, and what can be called at all. */
import { escapeRegex } from '../../base/escape-regex.js';
import type { McpServerFields } from '../config.js';
import type { McpToolDefinition } from '../definitions.js';

/** Exclusion wins. An include entry may also be written with arguments, `name(…)`; `*` stands for any characters. */
export function selectTools(
  tools: readonly McpToolDefinition[],
  { includeTools, excludeTools = [] }: McpServerFields,
): McpToolDefinition[] {
  const isIncluded = includeTools && nameTest(includeTools.flatMap(withoutArguments));
  const isExcluded = nameTest(excludeTools);
  return tools.filter(
    ({ name, needsTask }) => !needsTask && !isExcluded(name) && (!isIncluded || isIncluded(name)),
  );
}

/** What both lists name; a pattern of one names what the other has written out. */
export function commonTools(a: readonly string[], b: readonly string[]): string[] {
  const [isInA, isInB] = [nameTest(a), nameTest(b)];
  return [...new Set([...a.filter(isInB), ...b.filter(isInA)])];
}

function withoutArguments(entry: string): string[] {
  return [entry, entry.replace(/\(.*$/s, '')];
}

function nameTest(entries: readonly string[]): (name: string) => boolean {
  const names = new Set(entries);
  const patterns = entries.filter((entry) => entry.includes('*')).map(asPattern);
  return (name) => names.has(name) || patterns.some((pattern) => pattern.test(name));
}

function asPattern(entry: string): RegExp {
  const parts = entry.split(/\*+/).map(escapeRegex);
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
