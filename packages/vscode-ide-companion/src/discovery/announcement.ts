/** Tells programs where this window's server is: by a file, and by variables of new terminals. */
import { delimiter } from 'node:path';
import type * as vscode from 'vscode';
import type { Discovery } from '../protocol.js';
import { DiscoveryFile } from './discovery-file.js';

export interface AnnouncementOptions {
  editor: Pick<typeof vscode, 'workspace'>;
  variables: vscode.GlobalEnvironmentVariableCollection;
  temporaryFolder: string;
  /** The process that programs in terminals of this window find above them. */
  pid: number;
  server: { port: number; token: string };
  ideInfo: Discovery['ideInfo'];
  failed: (error: unknown) => void;
}

export class Announcement {
  private readonly file: DiscoveryFile;

  constructor(private readonly options: AnnouncementOptions) {
    const { temporaryFolder, pid, server } = options;
    this.file = new DiscoveryFile(temporaryFolder, pid, server.port);
    // Terminals that a reloaded window restores would else be told the old port.
    options.variables.persistent = false;
    options.variables.description = 'Connects the gemini command with this window.';
  }

  update(): void {
    const { editor, server, ideInfo, variables } = this.options;
    const workspacePath = rootsOf(editor).join(delimiter);
    variables.replace('GEMINI_CLI_IDE_SERVER_PORT', String(server.port));
    variables.replace('GEMINI_CLI_IDE_WORKSPACE_PATH', workspacePath);
    variables.replace('GEMINI_CLI_IDE_AUTH_TOKEN', server.token);
    try {
      this.file.write({ port: server.port, workspacePath, authToken: server.token, ideInfo });
    } catch (error) {
      // New terminals still know the way.
      this.options.failed(error);
    }
  }

  removeStale(): Promise<void> {
    return this.file.removeStale();
  }

  withdraw(): void {
    this.options.variables.clear();
    this.file.remove();
  }
}

function rootsOf({ workspace }: Pick<typeof vscode, 'workspace'>): string[] {
  const folders = workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}
