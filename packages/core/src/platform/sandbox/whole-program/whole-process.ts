/** What the sandbox of the whole program is made from, and what comes out: the command to run in our place. */

export interface WholeProcessSources {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Home of our own files; see Storage.homeDir. */
  home: string;
  /** The system's directory for temporary files. */
  temporaryDirectory: string;
  /** Arguments of the program, as it was started. */
  args: readonly string[];
  /** Node with its options and the script: how to start ourselves on this machine. */
  self: readonly string[];
  isTerminal: boolean;
  platform: NodeJS.Platform;
  uid: number;
  gid: number;
  /** Used when nobody names another. */
  defaultImage?: string;
  /** `tools.sandboxAllowedPaths`. */
  allowedPaths: readonly string[];
  /** `--include-directories`. */
  includeDirectories: readonly string[];
  /** Tells the user what takes long. */
  notify: (text: string) => void;
}

export interface SandboxSession {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Removes what was made for the session. */
  close(): Promise<void>;
}

/** Port that proxies listen on. */
export const PROXY_COMMAND_PORT = 8877;

export function definedVariables(env: WholeProcessSources['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
