/** What every dialog gets. It draws data and answers with `close`. */
import type { Config, LoadedSettings, TelemetryRecorder, TrustAnswer, Variables } from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../../history/item.js';

export type TrustLevel = 'TRUST_FOLDER' | 'TRUST_PARENT' | 'DO_NOT_TRUST';

/** What a dialog may do beyond its own box. Implemented by the app; tests pass a literal. */
export interface DialogServices {
  /** Absent until the engine is up. */
  config: Config | undefined;
  /** Of the engine that runs now. */
  telemetry(): TelemetryRecorder;
  settings: LoadedSettings;
  cwd: string;
  /** Including the variables of the folder's `.env` file. */
  env: Variables;
  /** Without those of a project: for the addresses that keys are sent to. */
  ownEnv: Variables;
  /** `general.proxy` */
  proxy?: string | undefined;
  addItem(item: HistoryItemWithoutId): void;
  /** Previews a theme without saving it; undefined: back to the theme of the settings. */
  previewTheme(name: string | undefined): void;
  /** Saves a setting and applies what can be applied at once. */
  changeSetting(scope: 'user' | 'workspace', key: string, value: unknown): Promise<void>;
  /** Restarts the engine, e.g. after a sign-in; resolves with the problem, if any. */
  restartEngine(): Promise<string | undefined>;
  /**
   * Switches the model for this run without writing a file; starts the engine if it is not up.
   * Resolves with the problem, if any.
   */
  switchModel(model: string): Promise<string | undefined>;
  /**
   * Saves the user's trust decision about a folder (default: this one) and applies it at once. Resolves with
   * the problem, if any.
   */
  setTrust(level: TrustLevel, folder?: string): Promise<string | undefined>;
  /** Whether a folder (default: this one) is trusted now, and why. */
  trustOf(folder?: string): TrustAnswer;
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
