/** The snapshots of changed files that the dialog uses; tests pass their own. */
import { loadSnapshots, type SnapshotSummary, type UndoPreview, type UndoResult } from '@gemini-cli/core';
import { openSnapshotEngine } from '../../../engine/snapshot-engine.js';
import type { UndoTarget } from '../../../output/undo-text.js';
import type { DialogServices } from '../dialog.js';

export interface UndoPort {
  list(): Promise<readonly SnapshotSummary[]>;
  /** The changes of the last prompt, oldest first. */
  lastPrompt(): Promise<readonly SnapshotSummary[]>;
  preview(target: UndoTarget): Promise<UndoPreview>;
  undo(target: UndoTarget): Promise<UndoResult>;
}

export async function openUndoPort({ config }: Pick<DialogServices, 'config'>): Promise<UndoPort> {
  if (!config) throw new Error('There is no session yet.');
  const { previewOf } = await loadSnapshots();
  const engine = await openSnapshotEngine(config);
  return {
    list: async () => engine.list(),
    lastPrompt: async () => engine.lastPrompt(),
    preview: ({ id, scope }) => previewOf(engine.preview(id, { scope })),
    undo: async ({ id, scope }) => engine.undo(id, { scope }),
  };
}
