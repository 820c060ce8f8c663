/** Follows what the editor has open, and tells when it has changed. */
import type * as vscode from 'vscode';
import { MAX_OPEN_FILES, MAX_SELECTED_TEXT } from '../protocol.js';
import { OpenFiles, type Selection } from './open-files.js';

type Editor = Pick<typeof vscode, 'window' | 'workspace' | 'Range'>;

const QUIET_MS = 50;

export interface OpenFilesWatch extends vscode.Disposable {
  files: OpenFiles;
}

/**
 * @param isDiff whether a document is one of our diffs: while one is looked at, the file before it stays the active one
 * @param changed called at most once in 50 ms, however many changes there are
 */
export function watchOpenFiles(
  editor: Editor,
  isDiff: (uri: vscode.Uri) => boolean,
  changed: () => void,
): OpenFilesWatch {
  const { window, workspace } = editor;
  const files = new OpenFiles(Date.now);
  let timer: NodeJS.Timeout | undefined;
  // What is looked at is read afterwards: between two files there is a moment without any.
  const look = () => {
    const active = window.activeTextEditor;
    if (active && isDiff(active.document.uri)) return;
    if (active && isOnDisk(active.document.uri))
      files.focus(active.document.uri.fsPath, selectionOf(editor, active));
    else files.blur();
  };
  const soon = () => {
    // Not restarted by the next change: a selection that is being dragged is reported while it is dragged.
    timer ??= setTimeout(() => {
      timer = undefined;
      look();
      changed();
    }, QUIET_MS);
  };

  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  for (const path of tabs.flatMap(pathsOf).slice(0, MAX_OPEN_FILES)) files.open(path);
  look();

  const subscriptions = [
    window.onDidChangeActiveTextEditor(soon),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === window.activeTextEditor && !isDiff(textEditor.document.uri)) soon();
    }),
    window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
      for (const path of opened.flatMap(pathsOf)) files.open(path);
      const stillOpen = new Set(window.tabGroups.all.flatMap((group) => group.tabs.flatMap(pathsOf)));
      for (const path of closed.flatMap(pathsOf)) if (!stillOpen.has(path)) files.close(path);
      if (opened.length + closed.length > 0) soon();
    }),
    workspace.onDidRenameFiles((event) => {
      for (const { oldUri, newUri } of event.files) files.rename(oldUri.fsPath, newUri.fsPath);
      soon();
    }),
    workspace.onDidDeleteFiles((event) => {
      for (const uri of event.files) files.close(uri.fsPath);
      soon();
    }),
  ];
  return {
    files,
    dispose: () => {
      clearTimeout(timer);
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function isOnDisk(uri: vscode.Uri): boolean {
  return uri.scheme === 'file';
}

/** Text, notebooks and custom editors have a `uri`; of a diff the right side counts. */
function pathsOf(tab: vscode.Tab): string[] {
  const { uri, modified } = (tab.input ?? {}) as { uri?: vscode.Uri; modified?: vscode.Uri };
  return [uri ?? modified]
    .filter((one) => one !== undefined)
    .filter(isOnDisk)
    .map((one) => one.fsPath);
}

function selectionOf(editor: Editor, { document, selection }: vscode.TextEditor): Selection {
  // No more of a selected large file is copied than is sent, and a little to see that it was cut.
  const start = document.offsetAt(selection.start);
  const end = Math.min(document.offsetAt(selection.end), start + MAX_SELECTED_TEXT + 2);
  const text = selection.isEmpty
    ? ''
    : document.getText(new editor.Range(selection.start, document.positionAt(end)));
  const { line, character } = selection.active;
  return { cursor: { line: line + 1, character: character + 1 }, text };
}
