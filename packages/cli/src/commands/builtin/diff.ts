/** `/diff [path]`: what this session changed so far, as diffs. */
import { relative, resolve, sep } from 'node:path';
import { loadSnapshots, type NetDiff, visibleName } from '@gemini-cli/core';
import { openSnapshotEngine } from '../../engine/snapshot-engine.js';
import type { CommandContext } from '../types.js';
import { type Action, type Completion, failure, info } from './define.js';
import { engineOf } from './needs.js';

export const diff: Action = async (context, args) => {
  if (!engineOf(context).parameters.undo.enabled)
    return failure('Changes are not recorded (general.checkpointing.undo in settings.json).');
  const changed = await changedFiles(context);
  if (changed.length === 0) return info('Nothing was changed in this session.');
  const wanted = args.trim();
  const files = wanted === '' ? changed : changed.filter(isAt(resolve(context.ui.app.cwd, wanted)));
  if (files.length === 0) return info(`${visibleName(wanted)} was not changed in this session.`);
  return {
    type: 'items',
    items: [{ type: 'diff', files, cwd: context.ui.app.cwd, isWhole: wanted !== '' }],
  };
};

export const completePath: Completion = async (context, partialArg) => {
  if (!context.services.config) return [];
  const { cwd } = context.ui.app;
  const names = (await changedFiles(context)).map(({ path }) => relative(cwd, path));
  return names.filter((name) => name.startsWith(partialArg));
};

async function changedFiles(context: CommandContext): Promise<NetDiff[]> {
  const config = engineOf(context);
  const { diffsOf } = await loadSnapshots();
  const engine = await openSnapshotEngine(config);
  return diffsOf(engine.changesOf(config.getSessionId()), context.ui.app.cwd);
}

/** The file itself, or a file in that folder. */
function isAt(wanted: string): (file: NetDiff) => boolean {
  return ({ path, from }) =>
    [path, from].some((name) => name === wanted || name?.startsWith(`${wanted}${sep}`));
}
