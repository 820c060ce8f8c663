/** `/ide`: the connection to the editor of this terminal. */
import { type IdeInfo, type IdeServices, visibleName } from '@gemini-cli/core';
import { fileLabels } from '../../output/open-files.js';
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import { type Action, failure, info, warning } from './define.js';
import { engineOf } from './needs.js';

/** After an installation the editor starts the companion. */
const LOOKS = 10;
const LOOK_EVERY_MS = 500;

export const status: Action = async (context) => {
  const ide = engineOf(context).getIde();
  const problem = await problemHere(ide);
  if (problem !== undefined) return failure(problem);
  if (ide.status().kind === 'connecting') await ide.connect();
  return shownStatus(ide);
};

export const enable: Action = async (context) => {
  const ide = engineOf(context).getIde();
  const problem = await problemHere(ide);
  if (problem !== undefined) return failure(problem);
  await context.ui.app.changeSetting('user', 'ide.enabled', true);
  await ide.connect();
  return shownStatus(ide);
};

export const disable: Action = async (context) => {
  const ide = engineOf(context).getIde();
  const problem = await problemHere(ide);
  if (problem !== undefined) return failure(problem);
  await context.ui.app.changeSetting('user', 'ide.enabled', false);
  await ide.disconnect();
  return info('Disconnected from the editor. To connect again: /ide enable');
};

export const install: Action = async (context) => {
  const ide = engineOf(context).getIde();
  const editor = await ide.editor();
  if (typeof editor === 'string') return failure(editor);
  return installInto(context, ide, editor);
};

async function installInto(
  context: CommandContext,
  ide: IdeServices,
  editor: IdeInfo,
): Promise<SlashCommandActionReturn> {
  const { signal = new AbortController().signal } = context;
  const name = visibleName(editor.displayName);
  context.ui.addItem({ type: 'info', text: `Installing the companion in ${name}.` });
  const outcome = await ide.install(editor, signal);
  if (outcome.kind === 'failed') return failure(visibleName(outcome.message));
  await context.ui.app.changeSetting('user', 'ide.enabled', true);
  for (let look = 0; look < LOOKS && ide.status().kind !== 'connected' && !signal.aborted; look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    await ide.connect();
  }
  const done =
    outcome.kind === 'other_companion'
      ? `The companion of Gemini CLI is installed in ${name}; it works with this program, too.`
      : `The companion is installed in ${name}.`;
  const current = ide.status();
  // The editor continues with the one that it has started.
  if (outcome.kind === 'installed' && current.kind === 'connected' && current.companion !== undefined)
    return info(`${done} Reload the window of ${name} to start it.`);
  if (current.kind === 'connected') return info(`${done}\n${statusText(ide)}`);
  return warning(`${done} It does not answer yet: open a new terminal in ${name}, or run /ide enable.`);
}

/** Undefined: there is an editor. */
async function problemHere(ide: IdeServices): Promise<string | undefined> {
  if (ide.status().kind !== 'disconnected') return undefined;
  const editor = await ide.editor();
  return typeof editor === 'string' ? editor : undefined;
}

function shownStatus(ide: IdeServices): SlashCommandActionReturn {
  return ide.status().kind === 'disconnected' ? failure(statusText(ide)) : info(statusText(ide));
}

function updateHint(companion: string | undefined): string[] {
  if (companion === undefined) return [];
  return [`The companion has version ${visibleName(companion)}. For the one of this program: /ide install`];
}

function statusText(ide: IdeServices): string {
  const current = ide.status();
  switch (current.kind) {
    case 'connected': {
      const files = fileLabels(ide.context()?.openFiles ?? []);
      const head = `🟢 Connected to ${visibleName(current.ide.displayName)}`;
      const shown =
        files.length === 0
          ? [`${head}. No files are open there.`]
          : [`${head}. Open files:`, ...files.map((label) => `  - ${visibleName(label)}`)];
      return [...shown, ...updateHint(current.companion)].join('\n');
    }
    case 'connecting':
      return `🟡 Connecting to ${visibleName(current.ide.displayName)}…`;
    case 'disconnected':
      return `🔴 Disconnected${current.reason ? `: ${visibleName(current.reason)}` : '. To connect: /ide enable'}`;
  }
}
