/** What a dialog has done to files or to the conversation, on the screen. */
import type { UndoResult } from '@gemini-cli/core';
import type { DialogName } from '../../../commands/dialog-name.js';
import { undoneText } from '../../../history/files-report.js';
import type { HistoryItemWithoutId } from '../../../history/item.js';
import { forwardItems, rewoundItems } from '../../dialogs/rewind/done-items.js';
import type { ForwardDone, RewindDone } from '../../dialogs/rewind/RewindViewer.js';
import type { App } from '../app.js';
import { shownHistory } from '../conversation/recorded-session.js';

export type LoadHistory = (items: readonly HistoryItemWithoutId[]) => void;

export function dialogResults(
  app: App,
  loadHistory: LoadHistory,
): (name: DialogName, result: unknown) => void {
  return (name, result) => {
    const { cwd } = app.engine.folder;
    if (name === 'undo' && isUndoResult(result)) app.add({ type: 'info', text: undoneText(result, cwd) });
    if (name !== 'rewind') return;
    if (isForwardDone(result)) void showAnew(app, forwardItems(result.forward, cwd), loadHistory);
    // What was taken back goes from the screen, too.
    else if (isRewindDone(result) && result.what !== 'files')
      void showAnew(app, rewoundItems(result.result, result.what, cwd), loadHistory);
  };
}

async function showAnew(
  app: App,
  notes: readonly HistoryItemWithoutId[],
  loadHistory: LoadHistory,
): Promise<void> {
  const file = app.engine.config?.getChatRecordingService()?.conversationFile;
  if (file) loadHistory([...(await shownHistory(file)), ...notes]);
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
