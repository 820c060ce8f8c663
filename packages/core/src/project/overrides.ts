import type { ProgramSettings } from '../settings/loaded-settings.js';

/** What a command line, or the program that opens a project, sets over its settings. Paths may be relative to the folder. */
export interface ProjectOverrides {
  settings?: ProgramSettings;
  model?: string;
  /** `default`, `auto_edit`, `plan`, `yolo`. */
  approvalMode?: string;
  debug?: boolean;
  includeDirectories?: readonly string[];
  allowedTools?: readonly string[];
  /** Replaces `mcp.allowed`. */
  allowedMcpServerNames?: readonly string[];
  policyPaths?: readonly string[];
  adminPolicyPaths?: readonly string[];
  /** US dollars. */
  maxCost?: number;
  maxTokens?: number;
  maxTimeSeconds?: number;
  maxToolCalls?: number;
  /** File with the JSON Schema that the last answer must satisfy. */
  outputSchema?: string;
  fakeResponses?: { path: string; strict: boolean };
  recordResponses?: string;
  /** Trust the folder for this run. */
  skipTrust?: boolean;
  /** What the connected editor says about the workspace. */
  editorTrusts?: boolean | undefined;
  /** Ignore the project's `.env` file. */
  ignoreEnv?: boolean;
  /** Names: only these extensions are active; `none`: none. */
  extensions?: readonly string[];
  /** Id of a new session. */
  sessionId?: string;
  /** Id, number or `latest`: the session to continue; empty: the latest. */
  resume?: string;
  /** File of a session to import and continue. */
  sessionFile?: string;
}
