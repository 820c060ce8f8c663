/** Minimal real hosts for tool tests: real files, a policy that always gives the same answer. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPathAccess,
  FileDiscoveryService,
  type FileFilteringOptions,
  type FileHost,
  globalGeminiDir,
  MessageBus,
  PolicyDecision,
  processEnvironment,
  StandardFileSystemService,
  Storage,
  WorkspaceContext,
  type WorkspaceHost,
} from '@gemini-cli/core';

export const DEFAULT_FILTERING: FileFilteringOptions = {
  respectGitIgnore: true,
  respectGeminiIgnore: true,
  customIgnoreFilePaths: [],
};

/** A host over `targetDir` with the same wiring as production. */
export function makeHost(targetDir: string, extraDirectories: string[] = []): WorkspaceHost & FileHost {
  const workspace = new WorkspaceContext(targetDir, extraDirectories);
  const environment = processEnvironment();
  const storage = new Storage({
    globalDir: globalGeminiDir(environment.variables),
    projectRoot: targetDir,
    projectId: 'test-project',
  });
  const files = new StandardFileSystemService();
  const discovery = new FileDiscoveryService(targetDir, DEFAULT_FILTERING, storage.getGlobalGeminiDir());
  const validatePathAccess = createPathAccess(workspace, storage);
  return {
    getTargetDir: () => targetDir,
    getWorkspaceContext: () => workspace,
    validatePathAccess,
    storage,
    getEnvironment: () => environment,
    getFileSystemService: () => files,
    getFileService: () => discovery,
    getFileFilteringOptions: () => DEFAULT_FILTERING,
  };
}

export function makeBus(decision: PolicyDecision = PolicyDecision.ALLOW): MessageBus {
  return new MessageBus({ check: async () => ({ decision }) });
}

/** A real temporary directory, removed by `cleanup`. */
export function tempDir(prefix = 'gemini-test-'): { path: string; cleanup: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  return { path, cleanup: () => rmSync(path, { recursive: true, force: true }) };
}
