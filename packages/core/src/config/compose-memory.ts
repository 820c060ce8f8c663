/** The context files of the session: where they may lie, and who may say no to one. */
import { join, sep } from 'node:path';
import { MemoryContextManager } from '../memory/context-files.js';
import { isInside } from '../platform/real-path.js';
import type { Redactor } from '../platform/redact.js';
import type { Storage } from '../platform/storage.js';
import { setting } from '../settings/schema/index.js';
import { TrustedFolders } from '../settings/trust.js';
import { isAllowed } from '../settings/untrusted.js';
import { ALWAYS_SKIPPED_DIRECTORIES, type FileDiscoveryService } from '../workspace/file-discovery.js';
import type { WorkspaceContext } from '../workspace/workspace-context.js';
import type { Config } from './config.js';

export interface MemoryServices {
  targetDir: string;
  storage: Storage;
  workspaceContext: WorkspaceContext;
  fileService: FileDiscoveryService;
  redactor: Pick<Redactor, 'redact'>;
}

export function composeMemory(config: Config, services: MemoryServices): MemoryContextManager {
  const { targetDir, storage, workspaceContext, fileService, redactor } = services;
  return new MemoryContextManager({
    settings: () => config.parameters.memory ?? {},
    home: config.getEnvironment().home,
    globalDir: storage.getGlobalGeminiDir(),
    privateDir: join(storage.getProjectTempDir(), 'memory'),
    directories: () => workspaceContext.getDirectories(),
    isTrusted: () => isAllowed('context_files', { trusted: config.isTrustedFolder() }),
    isRefused: (folder) => isRefused(config, targetDir, folder),
    // A file that git does not keep may well be the user's own rules.
    ignoresFile: (path) => fileService.shouldIgnoreFile(path, { respectGitIgnore: false }),
    ignoresFolder: (path) =>
      isDependency(path, workspaceContext.getDirectories()) || fileService.shouldIgnoreDirectory(path),
    // Not by `config.maskForModel`: a resumed session reads its files before all services are there.
    mask: (text) => (config.parameters.maskSecretsForModel === false ? text : redactor.redact(text)),
    notice: (message) => config.parameters.onNotice?.(message),
  });
}

function isDependency(path: string, directories: readonly string[]): boolean {
  const root = directories.find((directory) => isInside(path, directory)) ?? '';
  const names = path.slice(root.length).split(sep);
  return names.some((name) => ALWAYS_SKIPPED_DIRECTORIES.includes(name));
}

/** A trusted folder may lie below one the user refused, or have one below it. */
function isRefused(config: Config, targetDir: string, folder: string): boolean {
  const { settings } = config.parameters;
  if (folder === targetDir || !settings || !setting(settings.merged, 'security.folderTrust.enabled'))
    return false;
  const { trustedFolders } = settings.merged;
  const folders = TrustedFolders.load(config.getEnvironment().variables, { tolerant: true, trustedFolders });
  // Refused as a whole and trusted for this once: then all of it is.
  return folders.decide(folder) === 'untrusted' && folders.decide(targetDir) !== 'untrusted';
}
