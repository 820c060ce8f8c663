/** What every dialog gets. It draws data and answers by `close`; it knows nothing of React state outside itself. */
import type { Config, LoadedSettings, Variables } from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../../history/item.js';

export type TrustLevel = 'TRUST_FOLDER' | 'TRUST_PARENT' | 'DO_NOT_TRUST';

/** What a dialog may do beyond its own screen. Implemented by the app; a test passes a literal. */
export interface DialogServices {
  /** Absent until the engine is up. */
  config: Config | undefined;
  settings: LoadedSettings;
  cwd: string;
  /** With the variables of the folder's `.env` file. */
  env: Variables;
  addItem(item: HistoryItemWithoutId): void;
  /** Shows a theme without saving it; undefined: back to the one of the settings. */
  previewTheme(name: string | undefined): void;
  /** Writes a setting and applies what can be applied at once. */
  changeSetting(scope: 'user' | 'workspace', key: string, value: unknown): Promise<void>;
  /** Starts the engine anew, e.g. after a sign-in; resolves with the problem, if there is one. */
  restartEngine(): Promise<string | undefined>;
  /**
   * Another model for this run, without writing any file; the engine is started with it if it is not up.
   * Resolves with the problem, if there is one.
   */
  switchModel(model: string): Promise<string | undefined>;
  /**
   * The user's word on a folder, this one if none is named: saved, and in force at once. Resolves with the
   * problem, if there is one.
   */
  setTrust(level: TrustLevel, folder?: string): Promise<string | undefined>;
  resumeSession(id: string): Promise<void>;
  setInput(text: string): void;
  copyToClipboard(text: string): Promise<void>;
  openUrl(url: string): Promise<boolean>;
  openEditor(path: string): Promise<void>;
  quit(): void;
}

export interface DialogProps<Props = Record<string, unknown>, Result = unknown> {
  services: DialogServices;
  props: Props;
  close(result?: Result): void;
}
