/** Which paths a finished call has touched, for context files that lie there (tools.md §2.4). */
import { dirname, resolve } from 'node:path';
import { LIST_DIRECTORY, READ_FILE, READ_MANY_FILES, REPLACE, WRITE_FILE } from '../protocol/tool-names.js';
import type { AnyToolInvocation, ToolResult } from './tools.js';

const BY_LOCATION: ReadonlySet<string> = new Set([READ_FILE, LIST_DIRECTORY, WRITE_FILE, REPLACE]);

/** Absolute; empty for tools that go nowhere in particular. */
export function touchedPaths(toolName: string, invocation: AnyToolInvocation, result: ToolResult): string[] {
  if (BY_LOCATION.has(toolName)) return invocation.toolLocations().map(({ path }) => path);
  if (toolName !== READ_MANY_FILES) return [];
  // Known only afterwards.
  const display = result.returnDisplay;
  if (typeof display !== 'object' || !('files' in display) || !('targetDir' in display)) return [];
  const { files, targetDir } = display;
  if (!Array.isArray(files)) return [];
  // Hundreds of files lie in a few folders.
  return [...new Set(files.map((file) => dirname(resolve(String(targetDir), String(file)))))];
}
