/** Asks whether the folder is trusted. An editor that says it meanwhile answers, too: its word counts before the user's rules. */
import { loadFrontEnd, messageOf, setting } from '@gemini-cli/core';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from '../conversation/engine-host.js';
import { readFolderAgain } from '../conversation/folder-again.js';
import type { Dialogs } from '../dialogs/dialogs.js';

export interface TrustPorts {
  context: AppContext;
  dialogs: Dialogs;
  engine: EngineHost;
}

export async function askForTrust(ports: TrustPorts): Promise<void> {
  const { context, dialogs } = ports;
  const answered = new AbortController();
  const watched = setting(context.settings, 'ide.enabled')
    ? followEditor(ports, answered.signal).catch((error: unknown) =>
        context.notice(`The editor cannot be asked about this folder: ${messageOf(error)}`),
      )
    : undefined;
  await dialogs.ask('trust');
  answered.abort();
  await watched;
}

async function followEditor({ context, dialogs, engine }: TrustPorts, signal: AbortSignal): Promise<void> {
  const { nextEditorTrust } = await loadFrontEnd();
  const editorTrusts = await nextEditorTrust(context.folder.environment, signal);
  if (editorTrusts === undefined || signal.aborted) return;
  await readFolderAgain(context, engine, editorTrusts);
  dialogs.withdraw('trust');
}
