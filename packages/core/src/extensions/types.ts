/** What an extension is: its manifest as read, where it came from, and what the parts of the program get of it. */
import type { McpServerFields } from '../mcp/config.js';
import type { ExtensionCapabilities } from '../protocol/extension-capabilities.js';

export type { ExtensionCapabilities };

export const MANIFEST_FILE = 'gemini-extension.json';
/** In the folder of an installed extension: where it came from. */
export const INSTALL_METADATA_FILE = '.gemini-extension-install.json';
/** In the folder of an installed extension: values of its settings that are not secret. */
export const EXTENSION_ENV_FILE = '.env';

export type ExtensionSourceType = 'git' | 'github-release' | 'local' | 'link';

/** The content of `.gemini-extension-install.json`. */
export interface ExtensionInstallMetadata {
  source: string;
  type: ExtensionSourceType;
  ref?: string;
  autoUpdate?: boolean;
  allowPreRelease?: boolean;
  releaseTag?: string;
  /** Folder of the extension inside its source. */
  path?: string;
  /** The source is a plugin of another program: an update converts it again. */
  convertedFrom?: 'claude-plugin';
  /** What the user chose then: the plugin of a marketplace, and options of the conversion. Not checked. */
  conversion?: Readonly<Record<string, unknown>>;
}

/** A value that an extension asks the user for. */
export interface ExtensionSetting {
  name: string;
  description?: string;
  envVar: string;
  sensitive?: boolean;
  /** Used while the user has set no value. */
  default?: string;
  type?: 'string' | 'boolean' | 'number' | 'choice';
  options?: readonly string[];
  required?: boolean;
  label?: string;
}

export type ExtensionSettingScope = 'user' | 'workspace';

/** A setting with its value; `value` of a sensitive one is for the extension's own processes and is never shown. */
export interface ResolvedExtensionSetting extends ExtensionSetting {
  /** Absent: not set, and there is no default. */
  value?: string;
  /** Where the value comes from. */
  from?: ExtensionSettingScope | 'default';
  /** The file or keychain service that holds it, for lists. */
  place?: string;
}

/** `gemini-extension.json` after its types were checked; variables are replaced, except settings and environment. */
export interface ExtensionManifest {
  name: string;
  version: string;
  description?: string;
  mcpServers?: Readonly<Record<string, McpServerFields>>;
  /** Absent: `GEMINI.md` if it exists. Empty: none. */
  contextFileName?: readonly string[];
  excludeTools?: readonly string[];
  settings?: readonly ExtensionSetting[];
  /** As written; the theme manager checks them. */
  themes?: readonly unknown[];
  plan?: { directory?: string };
  migratedTo?: string;
  capabilities?: ExtensionCapabilities;
  /** Further folders with skills, relative to the extension. */
  skills?: readonly string[];
}

export interface ExtensionProblem {
  /** `error`: the extension is not loaded. */
  level: 'error' | 'warning';
  /** For the user: what is wrong, and what to do. */
  message: string;
  file?: string;
  /** Counted from 1. */
  line?: number;
  /** The place in the manifest, such as `mcpServers.github.command`. */
  key?: string;
  /** A fault that only the author can repair; a conversion passes it on instead of failing. */
  kind?: 'missing-file' | 'hidden-setting' | 'plain-secret' | 'skill-standard';
  /** Of an installed extension that is not active: only its lists and checks say it. */
  isInactive?: true;
}

/** An installed extension. */
export interface GeminiCLIExtension {
  name: string;
  version: string;
  description?: string;
  /** Enabled for this folder and session. */
  isActive: boolean;
  /** Absolute: the folder with the manifest (for a link, the source's folder). */
  path: string;
  /** The folder below `~/.gemini/extensions`, where metadata and `.env` are. */
  installPath: string;
  id: string;
  installMetadata?: ExtensionInstallMetadata;
  mcpServers?: Readonly<Record<string, McpServerFields>>;
  /** Absolute paths of files that exist. */
  contextFiles: readonly string[];
  excludeTools?: readonly string[];
  /** The file with its hooks, if it has one. */
  hooks?: string;
  settings?: readonly ExtensionSetting[];
  resolvedSettings?: readonly ResolvedExtensionSetting[];
  /** Names of the folders of its skills. */
  skills?: readonly string[];
  /** Names of its agent files. */
  agents?: readonly string[];
  themes?: readonly unknown[];
  plan?: { directory?: string };
  migratedTo?: string;
  capabilities?: ExtensionCapabilities;
  /** Further folders with skills, absolute. */
  skillFolders?: readonly string[];
  /** Absolute, if it exists: the folder with its commands. */
  commandsFolder?: string;
  /** Absolute, if it exists: the folder with its policy files. */
  policiesFolder?: string;
}

/** Where the update of an extension stands; the values are shown to users. */
export const ExtensionUpdateStatus = {
  CheckingForUpdates: 'checking for updates',
  UpdatedNeedsRestart: 'updated, needs restart',
  Updated: 'updated',
  Updating: 'updating',
  UpdateAvailable: 'update available',
  UpToDate: 'up to date',
  Error: 'error',
  NotUpdatable: 'not updatable',
  Unknown: 'unknown',
} as const;
export type ExtensionUpdateStatus = (typeof ExtensionUpdateStatus)[keyof typeof ExtensionUpdateStatus];
