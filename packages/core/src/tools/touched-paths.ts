/** Which paths a finished call has touched; context files found there are then loaded. */
import { dirname, resolve } from 'node:path';
import { LIST_DIRECTORY, READ_FILE, READ_MANY_FILES, REPLACE, WRITE_FILE } from '../protocol/tool-names.js';
import type { AnyToolInvocation, ToolResult } from './tools.js';

const BY_LOCATION: ReadonlySet<string> = new Set([READ_FILE, LIST_DIRECTORY, WRITE_FILE, REPLACE]);

/** Absolute paths; empty for tools that do not work on files. */
export function touchedPaths(toolName: string, invocation: AnyToolInvocation, result: ToolResult): string[] {
  if (BY_LOCATION.has(toolName)) return invocation.toolLocations().map(({ path }) => path);
  if (toolName !== READ_MANY_FILES) return [];
  // Its globs are resolved only when it runs, so the paths are in the result.
  const display = result.returnDisplay;
  if (typeof display !== 'object' || !('files' in display) || !('targetDir' in display)) return [];
  const { files, targetDir } = display;
  if (!Array.isArray(files)) return [];
  // Folders only: hundreds of files are in a few of them.
  return [...new Set(files.map((file) => dirname(resolve(String(targetDir), String(file)))))];
}
