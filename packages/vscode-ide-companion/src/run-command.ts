/** The command "Gemini CLI: Run": a terminal with the program, in a folder of the window. */
import type * as vscode from 'vscode';

type Editor = Pick<typeof vscode, 'window' | 'workspace'>;

export async function runGeminiCli(editor: Editor): Promise<void> {
  const folder = await chooseFolder(editor);
  if (!folder) return;
  const terminal = editor.window.createTerminal({
    name: `Gemini CLI (${folder.name})`,
    cwd: folder.uri.fsPath,
  });
  terminal.show();
  terminal.sendText('gemini');
}

async function chooseFolder({ window, workspace }: Editor): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    await window.showInformationMessage('No folder is open. Open a folder to run Gemini CLI in it.');
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  return window.showWorkspaceFolderPick({ placeHolder: 'Run Gemini CLI in which folder?' });
}
