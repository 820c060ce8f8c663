/** `/undo [turn] [id]`: restores files that tools and commands changed. */
import { loadSnapshots } from '@gemini-cli/core';
import { openSnapshotEngine } from '../../engine/snapshot-engine.js';
import { undoneText } from '../../history/files-report.js';
import { formatPreview, undoTarget } from '../../output/undo-text.js';
import { type Action, type Completion, failure, info } from './define.js';
import { engineOf } from './needs.js';

export const undo: Action = async (context, args) => {
  const config = engineOf(context);
  if (!config.parameters.undo.enabled)
    return failure('Undo is disabled (general.checkpointing.undo in settings.json).');
  if (args === '') return { type: 'dialog', dialog: 'undo' };
  const { id, scope } = undoTarget(args.split(/\s+/));
  const engine = await openSnapshotEngine(config);
  const style = { cwd: context.ui.app.cwd, hasColour: false };
  if (context.overwriteConfirmed) return info(undoneText(engine.undo(id, { scope }), style.cwd));
  const { previewOf } = await loadSnapshots();
  const planned = await previewOf(engine.preview(id, { scope }));
  const text = formatPreview(planned, style).trimEnd();
  if (!planned.steps.some(({ status }) => status === 'ready'))
    return info(`${text}\nThere is nothing to restore.`);
  const question = 'Restore these files?';
  return {
    type: 'confirm_action',
    prompt: `${text}\n${question}`,
    files: { steps: planned.steps, question },
    // The full id: another change may be the last one when the user answers.
    originalInvocation: {
      raw: `/undo ${scope === 'prompt' ? 'turn ' : ''}${planned.snapshots.at(-1)?.id ?? id}`,
    },
  };
};

export const completeId: Completion = async ({ services }, partialArg) => {
  if (!services.config) return [];
  const engine = await openSnapshotEngine(services.config);
  const ids = engine.list().map((snapshot) => snapshot.id);
  return ['last', 'turn', ...ids].filter((id) => id.startsWith(partialArg));
};
