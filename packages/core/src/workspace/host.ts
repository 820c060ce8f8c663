/** Interfaces through which tools reach workspace files. `Config` satisfies them structurally. */
import type { Environment } from '../platform/environment.js';
import type { FileSystemService } from '../platform/files/file-system.js';
import type { Storage } from '../platform/storage/storage.js';
import type { FileDiscoveryService } from './file-discovery.js';
import type { WorkspaceContext } from './workspace-context.js';

export interface FileFilteringOptions {
  respectGitIgnore: boolean;
  respectGeminiIgnore: boolean;
  /** Further ignore files, highest precedence first. */
  customIgnoreFilePaths: string[];
}

export interface WorkspaceHost {
  /** The project root: relative paths resolve against it. */
  getTargetDir(): string;
  getWorkspaceContext(): WorkspaceContext;
  /** Null when allowed, otherwise the message for the model. `path` is absolute. */
  validatePathAccess(path: string, access?: 'read' | 'write'): string | null;
  readonly storage: Storage;
  getEnvironment(): Environment;
}

export interface FileHost {
  getFileSystemService(): FileSystemService;
  getFileService(): FileDiscoveryService;
  getFileFilteringOptions(): FileFilteringOptions;
}
