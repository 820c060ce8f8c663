/** The snapshots of changed files that the dialog uses; tests pass their own. */
import { loadSnapshots, type SnapshotSummary, type UndoPreview, type UndoResult } from '@gemini-cli/core';
import type { DialogServices } from '../dialog.js';

export interface UndoPort {
  list(): Promise<readonly SnapshotSummary[]>;
  preview(id: string): Promise<UndoPreview>;
  undo(id: string): Promise<UndoResult>;
}

export async function openUndoPort({ config }: Pick<DialogServices, 'config'>): Promise<UndoPort> {
  if (!config) throw new Error('There is no session yet.');
  const { SnapshotEngine, previewOf } = await loadSnapshots();
  const engine = new SnapshotEngine({
    storeDir: config.storage.getSnapshotDir(),
    globalDir: config.storage.getGlobalGeminiDir(),
    roots: [...config.getWorkspaceContext().getDirectories()],
    maxBytes: config.parameters.undo.maxBytes,
  });
  return {
    list: async () => engine.list(),
    preview: (id) => previewOf(engine.preview(id)),
    undo: async (id) => engine.undo(id),
  };
}
