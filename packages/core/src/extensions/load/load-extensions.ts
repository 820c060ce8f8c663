/** The installed extensions as values. A broken one is named and skipped; the others load. */
import { basename, join } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import type { Variables } from '../../platform/environment.js';
import type { FileMemory } from '../../platform/files/file-memory.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { entriesIn, isDirectory } from '../../platform/files/try-read.js';
import { isEnabled, readEnablement } from '../enablement/enablement.js';
import { restoreInterrupted } from '../install/restore.js';
import { expandVariables } from '../manifest/variables.js';
import type { ExtensionProblem, GeminiCLIExtension } from '../types.js';
import { type SourceRules, sourceRefusal } from './allowed-sources.js';
import { extensionId } from './extension-id.js';
import { type InstalledFolder, type ReadInstalled, readInstalled } from './read-installed.js';

export { extensionId };

export interface LoadOptions {
  /** `~/.gemini`. */
  globalDir: string;
  home: string;
  workspacePath: string;
  isTrusted: boolean;
  variables: Variables;
  /** What decides about extensions, of the merged settings. */
  settings: ExtensionLoadSettings;
  /** Names after `-e`: only these are active; `none`: none. */
  only?: readonly string[];
  /** What earlier starts have read; absent: everything is read anew. */
  memory?: FileMemory;
}

export interface ExtensionLoadSettings {
  security?: SourceRules | undefined;
  admin?: { extensions?: { enabled?: boolean | undefined } | undefined } | undefined;
  extensions?: { disabled?: readonly string[] | undefined } | undefined;
}

export interface LoadedExtensions {
  extensions: GeminiCLIExtension[];
  problems: ExtensionProblem[];
}

export function loadExtensions(options: LoadOptions): LoadedExtensions {
  const { globalDir, settings, only = [] } = options;
  if (settings.admin?.extensions?.enabled === false) return { extensions: [], problems: [] };
  const root = join(globalDir, 'extensions');
  restoreInterrupted(root);
  const problems: OwnedProblem[] = [];
  const found = new Map<string, GeminiCLIExtension>();
  for (const folder of foldersIn(root)) {
    const read = judged(readInstalled(folder, options), options);
    const owner = read.extension?.name ?? basename(folder.installPath);
    problems.push(...read.problems.map((problem) => ({ problem, owner })));
    if (!read.extension) continue;
    const { name } = read.extension;
    const other = found.get(name.toLowerCase());
    if (other)
      problems.push({
        owner,
        problem: {
          level: 'error',
          message: `The extension "${name}" in ${folder.installPath} is skipped: ${other.installPath} has the same name. Remove one of them.`,
          file: folder.installPath,
        },
      });
    else found.set(name.toLowerCase(), read.extension);
  }
  const missing = only.filter((name) => !isNone(name) && !found.has(name.trim().toLowerCase()));
  if (missing.length > 0)
    problems.push({
      problem: {
        level: 'error',
        message: `Extension not found: ${missing.map(visibleName).join(', ')}. See "gemini extensions list".`,
      },
    });
  return activated([...found.values()], options, problems);
}

/** `owner`: the extension; for one that cannot be read, its folder, which has the same name. */
interface OwnedProblem {
  problem: ExtensionProblem;
  owner?: string;
}

/** Sorted, so that every start loads them in the same order. Names with a dot in front are unfinished installs. */
function foldersIn(root: string): InstalledFolder[] {
  return entriesIn(root)
    .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => ({ installPath: join(root, entry.name), isLink: entry.isSymbolicLink(), entry }))
    .filter(({ installPath, entry }) => entry.isDirectory() || isDirectory(installPath))
    .sort((a, b) => (a.installPath < b.installPath ? -1 : 1));
}

/** What the settings and the variables of this start make of it. */
function judged(
  { extension, problems }: ReadInstalled,
  { variables, settings }: LoadOptions,
): Pick<ReadInstalled, 'extension' | 'problems'> {
  if (!extension) return { problems };
  const { name, path, installMetadata, plan, ...rest } = extension;
  const rules = settings.security ?? {};
  const refusal = installMetadata
    ? sourceRefusal(installMetadata, rules)
    : sourceRefusal({ source: realPathOf(path), type: 'local' }, rules);
  if (refusal) {
    const message = `The extension "${name}" is not loaded: ${refusal}.`;
    return { problems: [{ level: 'error', message, file: path }] };
  }
  const directory = plan?.directory && expandVariables(plan.directory, (variable) => variables[variable]);
  return {
    problems,
    extension: {
      ...rest,
      name,
      path,
      ...(installMetadata && { installMetadata }),
      ...(directory && { plan: { directory } }),
    },
  };
}

function activated(
  extensions: GeminiCLIExtension[],
  { globalDir, workspacePath, settings, only = [] }: LoadOptions,
  found: readonly OwnedProblem[],
): LoadedExtensions {
  if (extensions.length === 0 && found.length === 0) return { extensions, problems: [] };
  const wanted = new Set(only.map((name) => name.trim().toLowerCase()));
  const rules = readEnablement(globalDir);
  const disabled = new Set(settings.extensions?.disabled?.map((name) => name.toLowerCase()));
  const isActive = (name: string) =>
    wanted.size > 0
      ? wanted.has(name.toLowerCase()) && !rules.problem
      : !disabled.has(name.toLowerCase()) && isEnabled(rules, name, workspacePath);
  const problems = found.map(({ problem, owner }): ExtensionProblem => {
    return owner === undefined || isActive(owner) ? problem : { ...problem, isInactive: true };
  });
  if (rules.problem) problems.push(rules.problem);
  return {
    extensions: extensions.map((extension) => ({ ...extension, isActive: isActive(extension.name) })),
    problems,
  };
}

function isNone(name: string): boolean {
  return name.trim().toLowerCase() === 'none';
}
