/** What manifests say about a project. */

export type Task = 'install' | 'build' | 'run' | 'test' | 'lint' | 'typecheck';

export interface Command {
  task: Task;
  command: string;
  /** The manifest it was found in. */
  from: string;
}

/** What one manifest says. */
export interface ManifestFacts {
  name?: string;
  description?: string;
  languages?: string[];
  tools?: string[];
  commands?: { task: Task; command: string }[];
  /** Files or folders where execution starts. */
  entries?: string[];
  /** Folders that hold packages of their own. */
  packageFolders?: string[];
}

/** A manifest and the files beside it. */
export interface ManifestContext {
  file: string;
  has(name: string): boolean;
  files: readonly string[];
  folders: readonly string[];
}

/** What the user wants run. */
export interface TaskDetails {
  task: Task;
  /** A test file, or the folder whose tests are meant. */
  path?: string;
}
