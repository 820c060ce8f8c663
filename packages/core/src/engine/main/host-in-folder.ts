/** The services of a session for agents that work in another folder. */
import type { ToolHost } from '../../tools/catalog.js';
import { FileDiscoveryService } from '../../workspace/file-discovery.js';
import { createPathAccess } from '../../workspace/path-access.js';
import { WorkspaceContext } from '../../workspace/workspace-context.js';
import type { Engine } from '../engine.js';

export function hostIn(
  host: ToolHost,
  { storage, fileFiltering, confine }: Pick<Engine, 'storage' | 'fileFiltering' | 'confine'>,
  path: string,
): ToolHost {
  const workspace = new WorkspaceContext(path);
  const { fileSystem, toolSandbox, containment } = confine({ targetDir: path, workspaceContext: workspace });
  const access = createPathAccess(workspace, storage);
  const files = new FileDiscoveryService(path, fileFiltering, storage.getGlobalGeminiDir());
  const changes: Partial<ToolHost> = {
    getTargetDir: () => path,
    getWorkspaceContext: () => workspace,
    validatePathAccess: access,
    getFileService: () => files,
    getFileSystemService: () => fileSystem,
    getToolSandbox: toolSandbox,
    getContainment: () => containment,
  };
  return Object.assign(Object.create(host), changes);
}
