/** Checks the folder of an extension for its author: what keeps it from loading, and what would not work as written. */
import { basename, join, relative } from 'node:path';
import { realPathOf } from '../../platform/files/real-path.js';
import { carriedFiles } from '../load/carried-files.js';
import { readManifest } from '../manifest/read-manifest.js';
import { type ExtensionManifest, type ExtensionProblem, MANIFEST_FILE } from '../types.js';
import { checkAgents } from './check-agents.js';
import { checkCapabilities } from './check-capabilities.js';
import { checkContextFiles } from './check-context-files.js';
import { checkExcludedTools } from './check-excluded-tools.js';
import { checkHooks } from './check-hooks.js';
import { checkIdentity } from './check-identity.js';
import { checkKeys } from './check-keys.js';
import { checkPolicies } from './check-policies.js';
import { checkServers } from './check-servers.js';
import { checkSettings } from './check-settings.js';
import { checkSkills } from './check-skills.js';
import { checkThemes } from './check-themes.js';
import type { CheckedExtension } from './checked-extension.js';
import { keyLines } from './key-lines.js';

export interface ValidateOptions {
  /** Warnings count as errors. */
  strict?: boolean;
  /** What is wrong with the command files of a folder; the command line knows their format. */
  checkCommands?: (folder: string) => Promise<ExtensionProblem[]>;
}

/** @param dir absolute. @returns in the order of the checks; files are named as absolute paths */
export async function validateExtension(
  dir: string,
  { strict = false, checkCommands }: ValidateOptions = {},
): Promise<ExtensionProblem[]> {
  return (await inspectExtension(dir, { strict, ...(checkCommands && { checkCommands }) })).problems;
}

export interface InspectedExtension {
  problems: ExtensionProblem[];
  /** Absent: it does not load. */
  manifest?: ExtensionManifest;
  /** It brings hooks or MCP servers, so rights matter. */
  runsPrograms?: boolean;
}

/** The same, with what was read. */
export async function inspectExtension(
  dir: string,
  { strict = false, checkCommands }: ValidateOptions = {},
): Promise<InspectedExtension> {
  const { manifest, raw = {}, problems } = readManifest(dir, { workspacePath: dir });
  const lineOf = keyLines(join(dir, MANIFEST_FILE));
  const file = join(dir, MANIFEST_FILE);
  // The reader only drops bad context files; for the author they are errors, found by a check below.
  const found = problems.filter(({ key, level }) => level === 'error' || key !== 'contextFileName');
  if (manifest) {
    const add = (problem: ExtensionProblem) => void found.push(problem);
    const report = (level: ExtensionProblem['level']) => (key: string, message: string) =>
      add({ level, message: `${key} ${message}`, file, key });
    const checked = { dir, manifest, raw, warn: report('warning'), fail: report('error'), add };
    for (const check of CHECKS) await check(checked);
    found.push(...((await checkCommands?.(join(dir, 'commands'))) ?? []));
    checkFolderName(checked);
  }
  const located = found.map((problem) => {
    if (problem.file !== file || problem.key === undefined || problem.line !== undefined) return problem;
    const line = lineOf(problem.key);
    return line === undefined ? problem : { ...problem, line };
  });
  const judged = strict
    ? located.map((problem): ExtensionProblem => ({ ...problem, level: 'error' }))
    : located;
  if (!manifest) return { problems: judged };
  const runsPrograms = Boolean(manifest.mcpServers ?? carriedFiles(dir, manifest).hooks);
  return { problems: judged, manifest, runsPrograms };
}

/** `gemini-extension.json:3` for a problem, relative to the extension; empty when it names no file. */
export function placeOfProblem(dir: string, { file, line }: ExtensionProblem): string {
  if (file === undefined) return '';
  const shown = relative(dir, file);
  const path = shown === '' || shown.startsWith('..') ? file : shown;
  return line === undefined ? path : `${path}:${line}`;
}

const CHECKS: readonly ((checked: CheckedExtension) => void | Promise<void>)[] = [
  checkIdentity,
  checkKeys,
  checkContextFiles,
  checkServers,
  checkSettings,
  checkThemes,
  checkExcludedTools,
  checkCapabilities,
  checkHooks,
  checkSkills,
  checkAgents,
  checkPolicies,
];

/** `gemini extensions convert` writes to `dist/gemini-extension`, whatever the name is. */
const CONVERTED_FOLDER = 'gemini-extension';

function checkFolderName({ dir, manifest, warn }: CheckedExtension): void {
  const folder = basename(realPathOf(dir));
  if (folder !== manifest.name && folder !== CONVERTED_FOLDER)
    warn('name', `is "${manifest.name}", but the folder is "${folder}". Give both the same name.`);
}
