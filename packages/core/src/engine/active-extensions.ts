/** What the active extensions bring to skills, context files and policy. */
import { join, resolve } from 'node:path';
import { pathVariables } from '../extensions/manifest/variables.js';
import type { GeminiCLIExtension } from '../extensions/types.js';
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
