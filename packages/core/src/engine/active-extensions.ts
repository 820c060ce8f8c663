/** What the active extensions bring to skills, context files, policy and the paths that tools may read. */
import { join, resolve } from 'node:path';
import { pathVariables } from '../extensions/manifest/variables.js';
import { isOwnFile } from '../extensions/own-files.js';
import type { GeminiCLIExtension } from '../extensions/types.js';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import type { ExtensionPolicies } from '../policy/files/sources.js';
import { CLAUDE_TOOL_NAMES } from '../protocol/claude-tool-names.js';
import type { SkillRoot } from '../skills/types.js';
import { canonicalEntries } from '../tools/catalog.js';
import type { ConfigParameters } from './parameters.js';

type Given = Pick<ConfigParameters, 'extensions' | 'extensionMemory'>;

export function activeExtensions({ extensions = [] }: Given): GeminiCLIExtension[] {
  return extensions.filter(({ isActive }) => isActive);
}

export function extensionSkillRoots(given: Given, workspacePath: string): Omit<SkillRoot, 'source'>[] {
  return activeExtensions(given).flatMap(({ name, path, skillFolders = [] }) =>
    [join(path, 'skills'), ...skillFolders].map((dir) => ({
      dir,
      extensionName: name,
      ...(given.extensionMemory && { memory: given.extensionMemory }),
      variables: pathVariables({ extensionPath: path, workspacePath }),
    })),
  );
}

export function extensionContextFiles(given: Given): { path: string; folder: string }[] {
  return activeExtensions(given).flatMap(({ path: folder, contextFiles }) =>
    contextFiles.map((path) => ({ path, folder })),
  );
}

/**
 * Texts of extensions tell the model to read files beside them.
 * @param path a real path
 * @param privateFolders an extension that is linked from there, or from a folder above, opens nothing
 */
export function isExtensionFile(given: Given, path: string, privateFolders: readonly string[]): boolean {
  return activeExtensions(given).some((extension) => {
    const folder = realPathOf(extension.path);
    return isOwnFile(path, folder) && !privateFolders.some((one) => isInside(realPathOf(one), folder));
  });
}

export function extensionPolicies(given: Given): ExtensionPolicies[] {
  return activeExtensions(given)
    .filter(({ policiesFolder, excludeTools }) => policiesFolder || excludeTools)
    .map(({ name, path, excludeTools }) => ({
      name,
      path,
      ...(given.extensionMemory && { memory: given.extensionMemory }),
      ...(excludeTools && { excludeTools: canonicalEntries(excludeTools.map(withoutClaudeName)) ?? [] }),
    }));
}

/** `Bash(rm -rf)` becomes `run_shell_command(rm -rf)`. */
function withoutClaudeName(entry: string): string {
  const [head = ''] = /^[^(]*/.exec(entry) ?? [];
  const name = head.trim();
  const here = Object.hasOwn(CLAUDE_TOOL_NAMES, name) ? CLAUDE_TOOL_NAMES[name] : undefined;
  return here === undefined ? entry : here + entry.slice(head.length);
}

/** Of the first extension by name; the user's own setting wins. */
export function extensionPlansDirectory(given: Given, targetDir: string): string | undefined {
  const [first] = activeExtensions(given)
    .filter(({ plan }) => plan?.directory)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return first?.plan?.directory && resolve(targetDir, first.plan.directory);
}
