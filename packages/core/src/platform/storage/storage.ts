/** All paths below the user's `.gemini` and the project's own directories in it. */
import { join } from 'node:path';
import { geminiHome, type Variables } from '../environment.js';

/** The user's own `.gemini`. */
export function globalGeminiDir(variables: Variables): string {
  return join(geminiHome(variables), '.gemini');
}

export interface StorageOptions {
  /** See `globalGeminiDir`. */
  globalDir: string;
  /** Absolute real path. */
  projectRoot: string;
  /** See `projectIdFor`. */
  projectId: string;
}

export class Storage {
  constructor(private readonly options: StorageOptions) {}

  getGlobalGeminiDir(): string {
    return this.options.globalDir;
  }

  /** Logs of background processes; the caller creates it with mode 0700. */
  getBackgroundProcessDir(): string {
    return join(this.options.globalDir, 'tmp', 'background-processes');
  }

  getProjectRoot(): string {
    return this.options.projectRoot;
  }

  /** Private working files of the project; tools may read and write here. */
  getProjectTempDir(): string {
    return join(this.options.globalDir, 'tmp', this.options.projectId);
  }

  /** Not below the temporary directory, where tools may write. */
  getHistoryDir(): string {
    return join(this.options.globalDir, 'history', this.options.projectId);
  }

  /** File contents for undo. */
  getSnapshotDir(): string {
    return join(this.getHistoryDir(), 'snapshots');
  }

  getToolOutputDir(sessionId: string): string {
    return join(this.getProjectTempDir(), 'tool-outputs', `session-${sessionId}`);
  }

  /** @param sessionStorageDir `general.sessionStorageDir`, absolute */
  getChatsDir(sessionStorageDir?: string): string {
    const base = sessionStorageDir
      ? join(sessionStorageDir, this.options.projectId)
      : this.getProjectTempDir();
    return join(base, 'chats');
  }

  /** Sessions of versions before `tmp/<id>`; read-only. */
  getSeedChatsDir(projectHash: string): string {
    return join(this.options.globalDir, 'projects', projectHash, 'chats');
  }
}
