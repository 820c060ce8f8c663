/** What a folder would load if it were trusted, as data for the dialog and for `doctor`. */

export interface DiscoveredPolicy {
  /** Relative to the folder. */
  file: string;
  /** Number of rules per decision. */
  allow: number;
  ask: number;
  deny: number;
  checkers: number;
}

export interface DiscoveryProblem {
  /** Relative to the folder. */
  path: string;
  /** From 1; absent when the file as a whole is meant. */
  line?: number;
  message: string;
}

/** Every text is free of control characters and bounded; files are named relative to the folder. */
export interface DiscoveryResults {
  /** Names as typed, without the slash: `git:commit`. */
  commands: string[];
  /** `name: command or address` */
  mcps: string[];
  /** `Event: command` */
  hooks: string[];
  skills: string[];
  agents: string[];
  /** Top-level keys of the folder's settings. */
  settings: string[];
  contextFiles: string[];
  /** Policy files. */
  policies: string[];
  /** The readable ones, with the number of rules per decision. */
  loadedPolicies: DiscoveredPolicy[];
  /** `.env: NAME, NAME` */
  envFiles: string[];
  extensions: string[];
  securityWarnings: string[];
  discoveryErrors: string[];
  /** The same errors, for programs. */
  problems: DiscoveryProblem[];
}
