/** Inputs of the sandbox around the whole program, and its result: the command to run instead of this process. */

export interface WholeProcessSources {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Parent of our `.gemini` folder; see `geminiHome`. */
  home: string;
  /** The system's directory for temporary files. */
  temporaryDirectory: string;
  /** Arguments that the program was started with. */
  args: readonly string[];
  /** Command to start this program again: Node, its options and the script. */
  self: readonly string[];
  isTerminal: boolean;
  platform: NodeJS.Platform;
  uid: number;
  gid: number;
  /** Used when neither the environment nor the settings name an image. */
  defaultImage?: string;
  /** `tools.sandboxAllowedPaths`. */
  allowedPaths: readonly string[];
  /** `--include-directories`, and `context.includeDirectories` of the user and the machine: writable. */
  includeDirectories: readonly string[];
  /** `context.includeDirectories` of the project: a project may not open other directories for writing. */
  projectDirectories: readonly string[];
  /** Variables with the keys of model providers and of the search service, which the program needs inside. */
  keyVariables: readonly string[];
  /** Tells the user about slow steps. */
  notify: (text: string) => void;
}

export interface SandboxSession {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** The process to signal where the started one does not pass signals on; undefined: it has not started yet. */
  programPid?(): number | undefined;
  /** Removes what was created for the session. */
  close(): Promise<void>;
}

/** Port on which the proxy of GEMINI_SANDBOX_PROXY_COMMAND listens. */
export const PROXY_COMMAND_PORT = 8877;

export function definedVariables(env: WholeProcessSources['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Whether a variable that says yes or no says yes. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}
