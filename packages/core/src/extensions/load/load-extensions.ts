/** The installed extensions as values. A broken one is named and skipped; the others load. */
import { join } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import type { Variables } from '../../platform/environment.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { entriesIn, isDirectory, tryLstat } from '../../platform/files/try-read.js';
import { isEnabled, readEnablement } from '../enablement/enablement.js';
import { restoreInterrupted } from '../install/restore.js';
import { readManifest } from '../manifest/read-manifest.js';
import { expandVariables } from '../manifest/variables.js';
import type { ExtensionInstallMetadata, ExtensionProblem, GeminiCLIExtension } from '../types.js';
import { type SourceRules, sourceRefusal } from './allowed-sources.js';
import { carriedFiles } from './carried-files.js';
import { extensionId } from './extension-id.js';
import { readInstallMetadata } from './install-metadata.js';

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
  const problems: ExtensionProblem[] = [];
  const found = new Map<string, GeminiCLIExtension>();
  for (const folder of foldersIn(root)) {
    const read = readInstalled(folder, options);
    problems.push(...read.problems);
    if (!read.extension) continue;
    const { name } = read.extension;
    const other = found.get(name.toLowerCase());
    if (other)
      problems.push({
        level: 'error',
        message: `The extension "${name}" in ${folder} is skipped: ${other.installPath} has the same name. Remove one of them.`,
        file: folder,
      });
    else found.set(name.toLowerCase(), read.extension);
  }
  const missing = only.filter((name) => !isNone(name) && !found.has(name.trim().toLowerCase()));
  if (missing.length > 0)
    problems.push({
      level: 'error',
      message: `Extension not found: ${missing.map(visibleName).join(', ')}. See "gemini extensions list".`,
    });
  return activated([...found.values()], options, problems);
}

/** Sorted, so that every start loads them in the same order. Names with a dot in front are unfinished installs. */
function foldersIn(root: string): string[] {
  return entriesIn(root)
    .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => join(root, name))
    .filter(isDirectory)
    .sort((a, b) => (a < b ? -1 : 1));
}

function readInstalled(
  installPath: string,
  { workspacePath, variables, settings }: LoadOptions,
): { extension?: GeminiCLIExtension; problems: ExtensionProblem[] } {
  const { metadata: recorded, problem } = readInstallMetadata(installPath);
  if (problem) return { problems: [problem] };
  const metadata = recorded ?? linkedBySymlink(installPath);
  const path = metadata?.type === 'link' ? metadata.source : installPath;
  const { manifest, problems: found } = readManifest(path, { workspacePath });
  const problems = found.map((one) => ({
    ...one,
    message: about(manifest?.name ?? installPath, one.message),
  }));
  if (!manifest) return { problems };
  const { name, version, contextFileName: _, skills: __, plan, ...given } = manifest;
  const refusal = sourceRefusal(
    metadata ?? { source: realPathOf(path), type: 'local' },
    settings.security ?? {},
  );
  if (refusal)
    return {
      problems: [
        { level: 'error', message: `The extension "${name}" is not loaded: ${refusal}.`, file: path },
      ],
    };
  const directory = plan?.directory && expandVariables(plan.directory, (variable) => variables[variable]);
  return {
    problems,
    extension: {
      ...given,
      name,
      version,
      isActive: true,
      path,
      installPath,
      id: extensionId(metadata, name),
      ...(metadata && { installMetadata: metadata }),
      ...(directory && { plan: { directory } }),
      ...carriedFiles(path, manifest),
    },
  };
}

/** A link in the folder of extensions is the same as one in the metadata. */
function linkedBySymlink(installPath: string): ExtensionInstallMetadata | undefined {
  if (!tryLstat(installPath)?.isSymbolicLink()) return undefined;
  return { source: realPathOf(installPath), type: 'link' };
}

function activated(
  extensions: GeminiCLIExtension[],
  { globalDir, workspacePath, settings, only = [] }: LoadOptions,
  problems: ExtensionProblem[],
): LoadedExtensions {
  if (extensions.length === 0) return { extensions, problems };
  const wanted = new Set(only.map((name) => name.trim().toLowerCase()));
  const rules = readEnablement(globalDir);
  if (rules.problem) problems.push(rules.problem);
  const disabled = new Set(settings.extensions?.disabled?.map((name) => name.toLowerCase()));
  const isActive = (name: string) =>
    wanted.size > 0
      ? wanted.has(name.toLowerCase()) && !rules.problem
      : !disabled.has(name.toLowerCase()) && isEnabled(rules, name, workspacePath);
  return {
    extensions: extensions.map((extension) => ({ ...extension, isActive: isActive(extension.name) })),
    problems,
  };
}

function isNone(name: string): boolean {
  return name.trim().toLowerCase() === 'none';
}

function about(name: string, message: string): string {
  return `Extension ${visibleName(name)}: ${message}`;
}
