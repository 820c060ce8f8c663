/** Opens the store of changed files of a running session, for commands and dialogs that read it or undo changes. */
import { type Config, loadSnapshots, type Snapshots } from '@gemini-cli/core';

export type SnapshotEngine = InstanceType<Snapshots['SnapshotEngine']>;

export async function openSnapshotEngine(config: Config): Promise<SnapshotEngine> {
  const { SnapshotEngine } = await loadSnapshots();
  return new SnapshotEngine({
    storeDir: config.storage.getSnapshotDir(),
    globalDir: config.storage.getGlobalGeminiDir(),
    roots: [...config.getWorkspaceContext().getDirectories()],
    maxBytes: config.parameters.undo.maxBytes,
  });
}
