/** Every path below the user's and the project's state directories. */
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

export class Storage {
  /** @param projectRoot absolute real path; @param projectId see cli.md §7.1 */
  constructor(
    private readonly projectRoot: string,
    private readonly projectId: string,
  ) {}

  static homeDir(): string {
    return process.env['GEMINI_CLI_HOME'] || homedir();
  }

  static getGlobalGeminiDir(): string {
    return join(Storage.homeDir(), '.gemini');
  }

  static getUserSettingsPath(): string {
    return join(Storage.getGlobalGeminiDir(), 'settings.json');
  }

  static getTrustedFoldersPath(): string {
    return (
      process.env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ||
      join(Storage.getGlobalGeminiDir(), 'trustedFolders.json')
    );
  }

  /** Where logs of background processes go; created 0700 by its user. */
  static getBackgroundProcessDir(): string {
    return join(Storage.getGlobalGeminiDir(), 'tmp', 'background-processes');
  }

  static systemTempDir(): string {
    return tmpdir();
  }

  getProjectRoot(): string {
    return this.projectRoot;
  }

  /** Private working files of this project; tools may read and write here. */
  getProjectTempDir(): string {
    return join(Storage.getGlobalGeminiDir(), 'tmp', this.projectId);
  }

  /** Not below the temporary directory: tools may write there. */
  getHistoryDir(): string {
    return join(Storage.getGlobalGeminiDir(), 'history', this.projectId);
  }

  /** Contents behind undo. */
  getSnapshotDir(): string {
    return join(this.getHistoryDir(), 'snapshots');
  }

  getToolOutputDir(sessionId: string): string {
    return join(this.getProjectTempDir(), 'tool-outputs', `session-${sessionId}`);
  }

  /** @param sessionStorageDir `general.sessionStorageDir`, absolute */
  getChatsDir(sessionStorageDir?: string): string {
    const base = sessionStorageDir ? join(sessionStorageDir, this.projectId) : this.getProjectTempDir();
    return join(base, 'chats');
  }

  /** Where versions before `tmp/<id>` kept sessions; read, never written. */
  static getSeedChatsDir(projectHash: string): string {
    return join(Storage.getGlobalGeminiDir(), 'projects', projectHash, 'chats');
  }

  getGeminiIgnorePaths(): string[] {
    return [join(this.projectRoot, '.geminiignore'), join(this.projectRoot, '.gemini-ignore')];
  }
}
