/** The context files of the session: where they may be, and which folders the user refused. */
import { join, sep } from 'node:path';
import { MemoryContextManager } from '../../memory/context-files.js';
import type { Environment } from '../../platform/environment.js';
import { isInside } from '../../platform/files/real-path.js';
import type { Storage } from '../../platform/storage/storage.js';
import { setting } from '../../settings/schema/index.js';
import { TrustedFolders } from '../../settings/trust/trust.js';
import { isAllowed } from '../../settings/trust/untrusted.js';
import { ALWAYS_SKIPPED_DIRECTORIES, type FileDiscoveryService } from '../../workspace/file-discovery.js';
import { extensionContextFiles } from '../active-extensions.js';
import type { CompleteParameters } from '../parameters.js';

export interface MemoryParts {
  parameters: () => Pick<CompleteParameters, 'memory' | 'maskSecretsForModel' | 'settings' | 'extensions'>;
  environment: Environment;
  isTrusted: () => boolean;
  targetDir: string;
  storage: Storage;
  directories: () => readonly string[];
  fileService: FileDiscoveryService;
  redact: (text: string) => string;
  notice: (message: string) => void;
}

export function composeMemory(parts: MemoryParts): MemoryContextManager {
  const { parameters, environment, targetDir, storage, directories, fileService, redact, notice } = parts;
  return new MemoryContextManager({
    settings: () => parameters().memory,
    home: environment.home,
    globalDir: storage.getGlobalGeminiDir(),
    privateDir: join(storage.getProjectTempDir(), 'memory'),
    directories,
    isTrusted: () => isAllowed('context_files', { trusted: parts.isTrusted() }),
    isRefused: (folder) => isRefused(parts, targetDir, folder),
    // A file that git ignores may still hold the user's own rules.
    ignoresFile: (path) => fileService.shouldIgnoreFile(path, { respectGitIgnore: false }),
    ignoresFolder: (path) => isDependency(path, directories()) || fileService.shouldIgnoreDirectory(path),
    extensionFiles: () => extensionContextFiles(parameters()),
    mask: (text) => (parameters().maskSecretsForModel ? redact(text) : text),
    notice,
  });
}

function isDependency(path: string, directories: readonly string[]): boolean {
  const root = directories.find((directory) => isInside(path, directory)) ?? '';
  const names = path.slice(root.length).split(sep);
  return names.some((name) => ALWAYS_SKIPPED_DIRECTORIES.includes(name));
}

/** A trusted folder may be inside one the user refused, or contain one. */
function isRefused({ parameters, environment }: MemoryParts, targetDir: string, folder: string): boolean {
  const { settings } = parameters();
  if (folder === targetDir || !settings || !setting(settings.merged, 'security.folderTrust.enabled'))
    return false;
  const { trustedFolders } = settings.merged;
  const folders = TrustedFolders.load(environment.variables, { tolerant: true, trustedFolders });
  // If the whole project was refused and trusted for this run only, all of it is trusted.
  return folders.decide(folder) === 'untrusted' && folders.decide(targetDir) !== 'untrusted';
}
