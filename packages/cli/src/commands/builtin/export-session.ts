/** `/export-session`: writes the whole session record to a file, with secrets masked. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadSessions } from '@gemini-cli/core';
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import { type Action, failure, info } from './define.js';
import { engineOf } from './needs.js';

export const exportSession: Action = async (context, args) => {
  if (args === '') return failure('Name a file: /export-session <file>');
  const config = engineOf(context);
  const recorded = config.getChatRecordingService()?.conversationFile;
  if (!recorded || !existsSync(recorded)) return failure('This session is not recorded, or still empty.');
  const path = pathFrom(context, args);
  const question = askToReplace(context, path);
  if (question) return question;
  const sessions = await loadSessions();
  const { writeExport } = await import('../../sessions/export.js');
  const redactor = config.getRedactor();
  const text = sessions.exportSession(sessions.readSession(recorded), (value) => redactor.redactValue(value));
  writeExport(path, text, { force: true, cwd: context.ui.app.cwd });
  return info(`Saved to ${path}. Load it with gemini --session-file.`);
};

function pathFrom({ ui }: CommandContext, args: string): string {
  return resolve(ui.app.cwd, args.replace(/^"(.*)"$/, '$1'));
}

function askToReplace(context: CommandContext, path: string): SlashCommandActionReturn | undefined {
  if (context.overwriteConfirmed || !existsSync(path)) return undefined;
  return {
    type: 'confirm_action',
    prompt: `${path} exists already. Replace it?`,
    originalInvocation: { raw: context.invocation?.raw ?? '' },
  };
}
