/** Checks whether any policy files exist; without them the loader is never imported. */
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicySources } from './sources.js';

export function hasPolicyFiles(sources: PolicySources): boolean {
  const { adminDir = standardAdminDirectory(), globalDir, projectDir, extensions = [] } = sources;
  if (sources.policyPaths?.length || sources.adminPolicyPaths?.length) return true;
  const places = [adminDir, join(globalDir, 'policies')];
  if (projectDir) places.push(...workspacePolicyPaths(projectDir));
  if (places.some(isThere)) return true;
  return extensions.some(
    ({ path, excludeTools }) => excludeTools?.length || existsSync(join(path, 'policies')),
  );
}

/** True on an error, too: the loader then reports what is wrong. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

export function standardAdminDirectory(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/policies';
  if (platform === 'win32') return 'C:\\ProgramData\\gemini-cli\\policies';
  return '/etc/gemini-cli/policies';
}

export function workspacePolicyPaths(projectDir: string): string[] {
  return [join(projectDir, '.gemini', 'policies'), join(projectDir, '.gemini', 'policies.toml')];
}
