/** Puts the parts together: what the editor knows goes out, diffs come in. */
import { tmpdir } from 'node:os';
import type * as vscode from 'vscode';
import { DiffManager, isDiffUri } from './diff/diff-manager.js';
import { Announcement } from './discovery/announcement.js';
import { type EditorInfo, editorInfo, isManaged } from './discovery/editor-name.js';
import { watchOpenFiles } from './files/watch-open-files.js';
import { createLog, type Log } from './log.js';
import { CONTEXT_UPDATE, DIFF_ACCEPTED, DIFF_REJECTED, type IdeContext } from './protocol.js';
import { runGeminiCli } from './run-command.js';
import { IdeServer } from './server/ide-server.js';

type Editor = typeof vscode;

const NOTICE_SHOWN = 'installedNoticeShown';

/** The companion of Gemini CLI: it has the same commands, of which an editor takes each only once. */
const OFFICIAL_ID = 'google.gemini-cli-vscode-ide-companion';

export interface Companion {
  port: number;
  stop(): Promise<void>;
}

/** @returns undefined where another companion serves programs already */
export async function startCompanion(
  editor: Editor,
  context: vscode.ExtensionContext,
  environment: Record<string, string | undefined> = process.env,
  temporaryFolder: string = tmpdir(),
): Promise<Companion | undefined> {
  const { window, workspace, commands } = editor;
  const ideInfo = editorInfo(environment, editor.env.appName);
  const channel = window.createOutputChannel('Gemini CLI Companion');
  const log = createLog(editor, channel);
  if (editor.extensions.getExtension(OFFICIAL_ID)) {
    channel.appendLine(
      'The companion of Gemini CLI is installed and serves programs. This one does nothing.',
    );
    context.subscriptions.push(channel);
    return undefined;
  }
  const diffs = new DiffManager(editor, {
    accepted: (owner, filePath, content) =>
      server.notify({ method: DIFF_ACCEPTED, params: { filePath, content } }, owner),
    rejected: (owner, filePath) => server.notify({ method: DIFF_REJECTED, params: { filePath } }, owner),
  });
  const contextUpdate = () => {
    const params: IdeContext = {
      workspaceState: { openFiles: watch.files.list(), isTrusted: workspace.isTrusted },
    };
    return { method: CONTEXT_UPDATE, params: { ...params } };
  };
  const watch = watchOpenFiles(editor, isDiffUri, () => server.notify(contextUpdate()));
  const server: IdeServer = new IdeServer({
    version: String(context.extension.packageJSON.version),
    diffs,
    firstNotification: contextUpdate,
    sessionEnded: (owner) => void diffs.closeAllOf(owner),
    log: log.debug,
  });
  const announcement = listenAndAnnounce(editor, context, { server, ideInfo, temporaryFolder, log });
  context.subscriptions.push(
    channel,
    diffs,
    watch,
    commands.registerCommand('gemini-cli.runGeminiCLI', async () => {
      // The program looks for the window once, when it starts.
      await Promise.allSettled([announcement]);
      await runGeminiCli(editor);
    }),
    commands.registerCommand('gemini-cli.showNotices', () =>
      commands.executeCommand('vscode.open', editor.Uri.joinPath(context.extensionUri, 'NOTICES.txt')),
    ),
  );
  const announced = await announcement;
  const tell = () => {
    announced.update();
    server.notify(contextUpdate());
  };
  context.subscriptions.push(
    workspace.onDidChangeWorkspaceFolders(tell),
    workspace.onDidGrantWorkspaceTrust(tell),
  );
  await diffs.closeLeftovers();
  await announced.removeStale();
  if (!isManaged(ideInfo)) await noticeOnce(editor, context);

  return {
    port: server.port,
    stop: async () => {
      announced.withdraw();
      await server.stop();
    },
  };
}

async function listenAndAnnounce(
  editor: Editor,
  context: vscode.ExtensionContext,
  parts: { server: IdeServer; ideInfo: EditorInfo; temporaryFolder: string; log: Log },
): Promise<Announcement> {
  const { server, ideInfo, temporaryFolder, log } = parts;
  await server.start();
  log.debug(`Listening on port ${server.port}.`);
  const announcement = new Announcement({
    editor,
    variables: context.environmentVariableCollection,
    temporaryFolder,
    pid: process.ppid,
    server,
    ideInfo,
    failed: (error) => log.error(`Programs in new terminals only can connect: ${error}`),
  });
  announcement.update();
  return announcement;
}

async function noticeOnce({ window }: Editor, { globalState }: vscode.ExtensionContext): Promise<void> {
  if (globalState.get(NOTICE_SHOWN)) return;
  await globalState.update(NOTICE_SHOWN, true);
  // Not awaited: it stays until the user closes it.
  void window.showInformationMessage(
    'Gemini CLI Companion is installed. Run "gemini" in the terminal, or "Gemini CLI: Run" in the command palette.',
  );
}
