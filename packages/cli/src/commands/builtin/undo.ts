/** `/undo [id]`: restores files that tools and commands changed. */
import { type Config, loadSnapshots } from '@gemini-cli/core';
import { undoneText } from '../../history/files-report.js';
import { formatPreview } from '../../output/undo-text.js';
import { type Action, type Completion, failure, info } from './define.js';
import { engineOf } from './needs.js';

export const undo: Action = async (context, id) => {
  const config = engineOf(context);
  if (!config.parameters.undo.enabled)
    return failure('Undo is disabled (general.checkpointing.undo in settings.json).');
  if (id === '') return { type: 'dialog', dialog: 'undo' };
  const engine = await openEngine(config);
  const style = { cwd: context.ui.app.cwd, hasColour: false };
  if (context.overwriteConfirmed) return info(undoneText(engine.undo(id), style.cwd));
  const { previewOf } = await loadSnapshots();
  const planned = await previewOf(engine.preview(id));
  const text = formatPreview(planned, style).trimEnd();
  if (!planned.steps.some(({ status }) => status === 'ready'))
    return info(`${text}\nThere is nothing to restore.`);
  return {
    type: 'confirm_action',
    prompt: `${text}\nRestore these files?`,
    // The full id: another change may be the last one when the user answers.
    originalInvocation: { raw: `/undo ${planned.snapshots[0]?.id ?? id}` },
  };
};

export const completeId: Completion = async ({ services }, partialArg) => {
  if (!services.config) return [];
  const engine = await openEngine(services.config);
  const ids = engine.list().map((snapshot) => snapshot.id);
  return ['last', ...ids].filter((id) => id.startsWith(partialArg));
};

async function openEngine(config: Config) {
  const { SnapshotEngine } = await loadSnapshots();
  return new SnapshotEngine({
    storeDir: config.storage.getSnapshotDir(),
    globalDir: config.storage.getGlobalGeminiDir(),
    roots: [...config.getWorkspaceContext().getDirectories()],
    maxBytes: config.parameters.undo.maxBytes,
  });
}
