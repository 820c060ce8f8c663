/** What installing, updating and removing extensions needs of its caller. */
import type { Environment } from '../../platform/environment.js';
import type { SecretStore } from '../../platform/secrets/secret-store.js';
import type { ExtensionLoadSettings } from '../load/load-extensions.js';
import type { ExtensionInstallMetadata, ExtensionSetting } from '../types.js';
import type { GithubLimits } from './github/github-http.js';

export interface ExtensionSwitches extends ExtensionLoadSettings {
  experimental?:
    | { extensionConfig?: boolean | undefined; extensionManagement?: boolean | undefined }
    | undefined;
}

export interface FolderTrust {
  isTrusted(folder: string): boolean;
  /** Saves that the user trusts the folder. */
  setTrusted(folder: string): Promise<void>;
}

export interface SettingPrompt {
  setting: ExtensionSetting;
  /** There is a value now; of a sensitive one not which. */
  current?: string;
  /** What was wrong with the answer before. */
  problem?: string;
}

export interface InstallPorts {
  environment: Environment;
  /** `~/.gemini` */
  globalDir: string;
  /** The merged settings. */
  settings: ExtensionSwitches;
  secrets: Pick<SecretStore, 'get' | 'set' | 'delete' | 'entries'>;
  trust: FolderTrust;
  /** Shows what the extension would do, and asks. Absent: the user cannot be asked, so nothing is installed. */
  consent?: (text: string) => Promise<boolean>;
  /** A question with yes or no. Absent: no. */
  ask?: (question: string) => Promise<boolean>;
  /** Clone when a release cannot be read, without asking. */
  clonesUnasked?: boolean;
  /** The user's answer; empty: no value. Absent: the user cannot be asked. */
  promptSetting?: (prompt: SettingPrompt) => Promise<string | undefined>;
  notice(message: string): void;
  /** Writes a plugin of another program (`metadata.convertedFrom`) as an extension into `into`, which does not exist yet. */
  convertPlugin?: (plugin: string, into: string, metadata: ExtensionInstallMetadata) => Promise<void>;
  signal?: AbortSignal;
  limits?: GithubLimits;
}

export interface InstalledExtension {
  name: string;
  version: string;
  installPath: string;
}
