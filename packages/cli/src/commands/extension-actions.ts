/** What `/extensions` needs of the code that installs, updates and configures extensions, and what that may ask. */

export interface ExtensionActions {
  /** @returns undefined when the user has refused */
  install(request: ExtensionInstallRequest, ask: ExtensionQuestions): Promise<ChangedExtension | undefined>;
  /** @param path absolute. @returns undefined when the user has refused */
  link(path: string, ask: ExtensionQuestions): Promise<ChangedExtension | undefined>;
  /** @param name or source @returns its name @throws UserError when it is not installed or cannot be removed */
  uninstall(name: string, ask: ExtensionQuestions): Promise<string>;
  /** One line of result for each; a failure of one does not stop the others. */
  update(names: readonly string[] | 'all', ask: ExtensionQuestions): Promise<ExtensionUpdateResult[]>;
  /** Asks for the values of settings and stores them. @returns lines about what is set now */
  configure(request: ExtensionConfigRequest, ask: ExtensionQuestions): Promise<string[]>;
}

export interface ExtensionInstallRequest {
  source: string;
  ref?: string;
  /** Folder of the extension inside its source. */
  path?: string;
  autoUpdate?: boolean;
  allowPreRelease?: boolean;
  /** The source is a plugin of another program. */
  convertedFrom?: 'claude-plugin';
  /** `plugin` of a marketplace and `options` of the conversion; each update converts so. */
  conversion?: Readonly<Record<string, unknown>>;
  skipSettings?: boolean;
}

export interface ExtensionConfigRequest {
  /** Absent: all that have settings. */
  name?: string;
  /** Absent: all of them. By its name or its variable. */
  setting?: string;
  scope: 'user' | 'workspace';
}

export interface ChangedExtension {
  name: string;
  version: string;
}

export interface ExtensionUpdateResult {
  name: string;
  /** `Extension "x" successfully updated: 1.0.0 → 1.1.0.` and its like. */
  message: string;
  level: 'info' | 'warning' | 'error';
  hasChanged: boolean;
}

export interface ExtensionQuestions {
  /** Shows what the extension would do, and asks. */
  consent(text: string): Promise<boolean>;
  /** Yes or no. */
  confirm(question: string): Promise<boolean>;
  /** The value of a setting. @returns undefined when the user cancels */
  value(question: ValueQuestion): Promise<string | undefined>;
  notice(message: string): void;
  /** A clone is taken without a question when a release cannot be read. */
  clonesUnasked?: boolean;
  signal: AbortSignal;
}

export interface ValueQuestion {
  title: string;
  detail?: string;
  /** Not shown while it is typed. */
  isSecret?: boolean;
  initial?: string;
  /** What was wrong with the answer before. */
  problem?: string;
}
