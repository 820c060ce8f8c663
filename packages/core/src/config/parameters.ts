import type { Budget } from '../agent/limits.js';
import type { ApprovalMode } from '../protocol/confirmation.js';

/** All that decides how a session runs; front ends make it from flags, environment and settings. */
export interface ConfigParameters {
  sessionId: string;
  /** The project root. */
  targetDir: string;
  debugMode: boolean;
  /** Name or alias as the user gave it. */
  model: string;
  /** False: nobody can answer questions. */
  interactive: boolean;
  approvalMode?: ApprovalMode;
  includeDirectories?: string[];
  includeDirectoryTree?: boolean;
  coreTools?: string[];
  allowedTools?: string[];
  excludeTools?: string[];
  /** Below 0: unlimited. */
  maxSessionTurns?: number;
  maxAttempts?: number;
  budget?: Budget;
  fakeResponses?: { path: string; strict: boolean };
  recordResponses?: string;
  useRipgrep?: boolean;
  truncateToolOutputThreshold?: number;
  fileFiltering?: {
    respectGitIgnore?: boolean;
    respectGeminiIgnore?: boolean;
    customIgnoreFilePaths?: string[];
  };
  shell?: {
    enableInteractiveShell?: boolean;
    inactivityTimeout?: number;
    pager?: string;
    showColor?: boolean;
  };
}
