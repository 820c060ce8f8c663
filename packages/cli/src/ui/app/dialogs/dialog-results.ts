/** Shows what a closed dialog has done to files or to the conversation. */
import type { UndoResult } from '@gemini-cli/core';
import { undoneText } from '../../../history/files-report.js';
import type { HistoryItemWithoutId } from '../../../history/item.js';
import { forwardItems, rewoundItems } from '../../dialogs/rewind/done-items.js';
import type { ForwardDone, RewindDone } from '../../dialogs/rewind/RewindViewer.js';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from '../conversation/engine-host.js';
import { shownHistory } from '../conversation/recorded-session.js';
import type { Dialogs } from './dialogs.js';

export function showDialogResults(dialogs: Dialogs, context: AppContext, engine: EngineHost): void {
  const reload = async (notes: readonly HistoryItemWithoutId[]) => {
    const file = engine.config?.getChatRecordingService()?.conversationFile;
    if (file) context.replaceHistory([...(await shownHistory(file)), ...notes]);
  };
  dialogs.onClosed((name, result) => {
    const { cwd } = context.folder;
    if (name === 'undo' && isUndoResult(result)) context.add({ type: 'info', text: undoneText(result, cwd) });
    if (name !== 'rewind') return;
    if (isForwardDone(result)) void reload(forwardItems(result.forward, cwd));
    // Rewound prompts disappear from the screen, too.
    else if (isRewindDone(result) && result.what !== 'files')
      void reload(rewoundItems(result.result, result.what, cwd));
  });
}

function isUndoResult(result: unknown): result is UndoResult {
  return typeof result === 'object' && result !== null && 'steps' in result && 'snapshots' in result;
}

function isRewindDone(result: unknown): result is RewindDone {
  return typeof result === 'object' && result !== null && 'messageId' in result && 'what' in result;
}

function isForwardDone(result: unknown): result is ForwardDone {
  return typeof result === 'object' && result !== null && 'forward' in result;
}
