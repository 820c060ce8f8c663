/** Types of the settings loader that other folders use. */
import type { Settings } from './schema/index.js';

export type SettingScope = 'system-defaults' | 'user' | 'workspace' | 'system';

/** A problem in a file, for the user: what, where, what to do. */
export interface FileProblem {
  severity: 'warning' | 'error' | 'fatal';
  file: string;
  /** From 1; absent when the file as a whole is meant. */
  line?: number;
  column?: number;
  /** As written in the file, e.g. `mcpServers.x.args[0]`. */
  keyPath?: string;
  message: string;
  /** What to do about it. */
  hint?: string;
  /** Concerns a restriction: never cut from a list. */
  guard?: boolean;
  /** No setting has this name: listed last. */
  unknown?: boolean;
}

export type { Settings };
