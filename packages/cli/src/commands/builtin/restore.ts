/** `/checkpoint` and `/restore`: save and restore files together with the conversation. */
import { type FilesReport, setting, visibleName } from '@gemini-cli/core';
import { filesReportItems } from '../../history/files-report.js';
import { itemsFromRecord } from '../../history/recorded-items.js';
import { formatSteps } from '../../output/undo-text.js';
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import { type Action, type Completion, info } from './define.js';
import { engineOf } from './needs.js';

export const checkpoint: Action = async (context, tag) => {
  const { checkpoints } = await engineOf(context).getCheckpoints();
  const name = await checkpoints.create(tag);
  return info(`Saved checkpoint ${name}. Restore it with /restore ${visibleName(tag.trim()) || name}.`);
};

export const restore: Action = async (context, name) => {
  const config = engineOf(context);
  const { checkpoints } = await config.getCheckpoints();
  const isNone = (wanted: string) =>
    checkpoints.preview(wanted).then(
      () => false,
      () => true,
    );
  // Unless a checkpoint has this tag.
  if (name === '' || (name === 'list' && (await isNone(name)))) return listed(context, checkpoints.list());
  if (!context.overwriteConfirmed) {
    const { files } = await checkpoints.preview(name);
    if (files.steps.length > 0) return ask(context, files);
  }
  const { history, files, toolCall } = await checkpoints.restore(name);
  const registry = config.getToolRegistry();
  return {
    type: 'load_history',
    history: [
      ...itemsFromRecord(history, (tool) => registry.getTool(tool)?.displayName),
      ...filesReportItems(files, context.ui.app.cwd),
    ],
    // The engine has already restored it.
    clientHistory: config.getGeminiClient().getChat().getHistory(),
    ...(toolCall && { propose: toolCall }),
  };
};

export const completeCheckpoint: Completion = async ({ services }, partialArg) => {
  if (!services.config) return [];
  const { checkpoints } = await services.config.getCheckpoints();
  const names = checkpoints.list().checkpoints.map(({ name }) => name);
  return names.reverse().filter((name) => name.startsWith(partialArg));
};

function ask({ invocation, ui }: CommandContext, files: FilesReport): SlashCommandActionReturn {
  const { steps, problem } = files;
  const question = 'Restore these files and the conversation?';
  const text = formatSteps(steps, { cwd: ui.app.cwd, hasColour: false }).trimEnd();
  return {
    type: 'confirm_action',
    prompt: `${text}\n${problem ? `${problem}\n` : ''}${question}`,
    files: { ...files, question },
    originalInvocation: { raw: invocation?.raw ?? '' },
  };
}

type Listed = ReturnType<
  Awaited<ReturnType<ReturnType<typeof engineOf>['getCheckpoints']>>['checkpoints']['list']
>;

function listed({ services }: CommandContext, { checkpoints, problems }: Listed) {
  const isOn = setting(services.settings.merged, 'general.checkpointing.enabled');
  const hint = isOn ? '' : ' Enable general.checkpointing.enabled, or save one with /checkpoint.';
  const lines = checkpoints.map(({ name }) => `  ${visibleName(name)}`);
  const head = lines.length > 0 ? 'Checkpoints:' : `No checkpoints found.${hint}`;
  return info([head, ...lines, ...problems].join('\n'));
}
