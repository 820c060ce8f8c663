/** Finds installed extensions for the verbs that change them: also those that the settings do not let load. */
import { join } from 'node:path';
import { ownVariables } from '../../platform/environment.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { entriesIn } from '../../platform/files/try-read.js';
import { readInstallMetadata } from '../load/install-metadata.js';
import { extensionId, loadExtensions } from '../load/load-extensions.js';
import type { ExtensionInstallMetadata, GeminiCLIExtension } from '../types.js';
import { ExtensionInstallError } from './error.js';
import type { InstallPorts } from './ports.js';

type Places = Pick<InstallPorts, 'globalDir' | 'environment'>;

export function extensionsFolder({ globalDir }: Pick<InstallPorts, 'globalDir'>): string {
  return join(globalDir, 'extensions');
}

export function installedExtensions({ globalDir, environment }: Places): GeminiCLIExtension[] {
  const { cwd, home } = environment;
  const variables = ownVariables(environment);
  return loadExtensions({ globalDir, home, workspacePath: cwd, isTrusted: false, variables, settings: {} })
    .extensions;
}

/** By name or source, case-insensitive; also a folder whose manifest is broken. */
function findInstalled(wanted: string, ports: Places): GeminiCLIExtension | undefined {
  const key = wanted.trim().toLowerCase();
  const all = installedExtensions(ports);
  const found =
    all.find(({ name }) => name.toLowerCase() === key) ??
    all.find(({ installMetadata }) => installMetadata?.source.toLowerCase() === key);
  return found ?? brokenFolder(key, ports);
}

/** False: its manifest cannot be read, so what it declares is not known. */
export function isReadable({ installPath }: GeminiCLIExtension, ports: Places): boolean {
  return installedExtensions(ports).some((one) => one.installPath === installPath);
}

/** @throws ExtensionInstallError */
export function requireInstalled(wanted: string, ports: Places): GeminiCLIExtension {
  const found = findInstalled(wanted, ports);
  if (found) return found;
  throw new ExtensionInstallError(`Extension "${wanted}" not found. See "gemini extensions list".`);
}

/** @param except the extension that is replaced @throws ExtensionInstallError when the name is taken */
export function requireFree(name: string, ports: Places, except?: GeminiCLIExtension): void {
  const found = findInstalled(name, ports);
  if (!found || found.installPath === except?.installPath) return;
  const source = found.installMetadata ? ` from ${found.installMetadata.source}` : ` in ${found.installPath}`;
  throw new ExtensionInstallError(
    `Extension "${found.name}" is already installed${source}. Uninstall it first: gemini extensions uninstall ${found.name}`,
  );
}

function brokenFolder(key: string, ports: Places): GeminiCLIExtension | undefined {
  const root = extensionsFolder(ports);
  const entry = entriesIn(root).find(
    (one) => !one.isFile() && !one.name.startsWith('.') && one.name.toLowerCase() === key,
  );
  if (!entry) return undefined;
  const installPath = join(root, entry.name);
  const link: ExtensionInstallMetadata | undefined = entry.isSymbolicLink()
    ? { source: realPathOf(installPath), type: 'link' }
    : undefined;
  const { metadata = link } = readInstallMetadata(installPath);
  return {
    name: entry.name,
    version: 'unknown',
    isActive: false,
    path: metadata?.type === 'link' ? metadata.source : installPath,
    installPath,
    id: extensionId(metadata, entry.name),
    ...(metadata && { installMetadata: metadata }),
    contextFiles: [],
  };
}
